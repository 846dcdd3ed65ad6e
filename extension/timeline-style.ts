/** How the timeline view looks: the colours are the editor's own, so that it is read in light, dark and high contrast. */

export const style = `
body { padding: 0 1.5rem 2rem; color: var(--vscode-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); line-height: 1.5; }
.board { --a: var(--vscode-charts-blue); --b: var(--vscode-charts-yellow); --bad: var(--vscode-errorForeground); --good: var(--vscode-charts-green); --soft: var(--vscode-descriptionForeground); --edge: var(--vscode-editorWidget-border, var(--vscode-contrastBorder, currentColor)); }
h1 { font-size: 1.25rem; font-weight: 600; line-height: 1.3; margin: 1.25rem 0 .5rem; text-wrap: balance; } h2 { font-size: 1rem; font-weight: 600; margin: 1rem 0 .5rem; }
code { font-family: var(--vscode-editor-font-family); font-size: .95em; color: inherit; background: none; padding: 0; }
.why { max-width: 48rem; margin: 0; }
article + article { border-top: 1px solid var(--vscode-editorWidget-border, currentColor); margin-top: 2rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 1.5rem; align-items: start; }
.board { border: 1px solid var(--edge); border-radius: 6px; padding: .6rem .9rem .9rem; }
.names, li { display: grid; grid-template-columns: 3.4rem minmax(0, 1.2fr) minmax(0, 1fr); }
.names { font-weight: 600; padding-bottom: .3rem; } .names span + span { padding-left: 1.7rem; }
ol { list-style: none; margin: 0; padding: 0; }
.time { color: var(--soft); text-align: right; padding: .35rem .6rem .35rem 0; font-variant-numeric: tabular-nums; white-space: nowrap; }
.lane { position: relative; padding: .35rem .2rem .45rem 1.7rem; min-width: 0; }
.told { min-height: 1.5em; overflow-wrap: anywhere; }
.more { display: flex; flex-wrap: wrap; column-gap: .6rem; }
.data { color: var(--soft); }
.a .says code, .b .says code { font-size: .95em; }
.bad .says, .bad .data { color: var(--bad); } .good .says, .good .data { color: var(--good); } .bad .says, .good .says { font-weight: 600; }
.end .says { color: var(--soft); font-style: italic; }
/* Above and below the dot, whose middle is .35rem plus half a line from the top. */
.up, .down { position: absolute; left: .45rem; width: .8rem; } .up { top: 0; height: calc(.35rem + .75em); } .down { top: calc(.35rem + .75em); bottom: 0; }
.lane.a { --own: var(--a); } .lane.b { --own: var(--b); }
.lease { background: color-mix(in srgb, var(--own) 22%, transparent); }
.vscode-high-contrast .lease { box-shadow: inset 1px 0 var(--own), inset -1px 0 var(--own); }
.run::before, .pause::before { content: ''; position: absolute; inset: 0 auto 0 calc(50% - 1px); border-left: 2px solid var(--own); } .pause::before { border-left-style: dotted; }
.dot { position: absolute; left: calc(.85rem - 5px); top: calc(.35rem + .75em - 5px); width: 10px; height: 10px; border-radius: 50%; background: var(--own); }
.bad .dot { background: var(--bad); } .good .dot { background: var(--good); }
.end .dot { left: .15rem; top: calc(.35rem + .75em - 1px); width: 1.4rem; height: 2px; border-radius: 0; background: var(--soft); }
.bad .dot::after, .good .dot::after { position: absolute; inset: -4px; border-radius: 50%; border: 1.5px solid; border-color: inherit; content: ''; }
.bad .dot { color: var(--bad); } .good .dot { color: var(--good); } .bad .dot::after, .good .dot::after { border-color: currentColor; }
/* For those who hear the page; the lane says it to those who see it. */
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
a { color: var(--vscode-textLink-foreground); }
button { font: inherit; color: var(--vscode-textLink-foreground); background: none; border: 0; padding: 0; margin: 0; cursor: pointer; text-align: left; } button:hover { text-decoration: underline; color: var(--vscode-textLink-activeForeground); }
.vscode-high-contrast button { text-decoration: underline; }
button:focus-visible, a:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 1px; }
`;
