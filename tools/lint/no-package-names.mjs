/** A rule of the project's own lint run: no package name of the catalog stands in the model or the rules. */
import { libraries } from './libraries.mjs';
import { languageWords } from './words.mjs';

const names = new Set(
  libraries
    .flatMap((library) => library.packages)
    .map((name) => name.replace(/\/\*$/, ''))
    .filter((name) => !languageWords.includes(name)),
);

export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: { named: "'{{name}}' is the name of a package. What a library does is said in its file in catalog/, not here." },
  },
  create: (context) => ({
    Literal(node) {
      if (!names.has(node.value) || /^(?:Import|Export|TSImport)/.test(node.parent.type)) return;
      context.report({ node, messageId: 'named', data: { name: node.value } });
    },
    TemplateElement(node) {
      if (names.has(node.value.cooked)) context.report({ node, messageId: 'named', data: { name: node.value.cooked } });
    },
  }),
};
