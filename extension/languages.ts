/** The languages that are checked, as VS Code names them. The manifest's activation events name the same. */
export const languages = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'];
