/** The documents that are checked, as VS Code names them. The manifest's activation events name the same languages. */

export const languages = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'];

/** Documents that people write; not the old versions, outputs and explanations that VS Code shows beside them. */
export const documents = languages.flatMap((language) => ['file', 'untitled', 'vscode-vfs'].map((scheme) => ({ language, scheme })));
