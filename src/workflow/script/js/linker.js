// ES modules to plain functions. Each file becomes one function expression with the file's own lines; run in order, with
// the objects that hold each other's exports, the functions are the program. Imports read through those objects, so
// bindings are live and circles work as far as the language lets them.
//
// link(acorn, entry, load) -> { modules: [...], errors: [...] }; load(path) -> text or null.
(function () {
  'use strict';
  const BUILT_IN = 'hyperscale';
  const ARGUMENT_TYPES = new Set(['url', 'headers', 'data', 'params', 'cookies', 'auth']);
  // Loops and functions count down to the moment at which the watch over processor time begins: most resumes are over
  // before it, and the watch is dear.
  const COUNT = '--$hs_w.n<0&&$hs_w.begin()';
  const DECLARATIONS = new Set(['step', 'action', 'check', 'metric']);

  // Exports that other tools read from a file. Here they would do nothing.
  const EXPORTS_OF_OTHER_TOOLS = {
    __proto__: null,
    options: 'the load is set by static fields of the workflow: static vus, static duration, static stages, static thresholds',
    handleSummary: 'reports are written by --out json=FILE, csv=FILE and html=FILE',
    setup: 'write a field of the workflow: setup = action(({ client }) => ...)',
    teardown: 'write a field of the workflow: teardown = action(({ client }) => ...)',
  };

  class Fault {
    constructor(message, line, column) {
      Object.assign(this, { message, line, column });
    }
  }

  function link(acorn, entry, load, builtIn, nearest) {
    const modules = [];
    const byPath = new Map();
    const errors = [];
    const report = (path, { message, line, column }) => errors.push({ file: path, message, line, column });

    function add(path, text) {
      const module = { file: path, text, imports: [], names: new Map(), stars: [], visited: false };
      byPath.set(path, module);
      try {
        if (path.endsWith('.json')) readJson(module);
        else new Reader(acorn, module).read();
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        report(path, fault);
        module.broken = true;
        module.requests = [];
      }
      for (const request of module.requests) request.target = open(module, request);
      modules.push(module);
      return module;
    }

    function open(importer, request) {
      const { specifier, line, column } = request;
      if (specifier === BUILT_IN) return BUILT_IN;
      if (!/^\.{0,2}\//.test(specifier)) {
        const hint = nearest(specifier, [BUILT_IN]) ? `did you mean "${BUILT_IN}"?` : `a file is imported as "./${specifier}"`;
        report(importer.file, { message: `cannot import "${specifier}"; ${hint}`, line, column });
        return null;
      }
      const path = resolve(importer.file, specifier);
      const known = byPath.get(path);
      if (known) return known;
      const text = load(path);
      if (text !== null) return add(path, text);
      const longer = ['.js', '.mjs', '.json', '/index.js'].find((end) => load(path + end) !== null);
      const hint = longer ? `; did you mean "${specifier}${longer}"?` : '';
      report(importer.file, { message: `there is no module "${specifier}" (looked for ${path})${hint}`, line, column });
      return null;
    }

    const text = load(entry);
    if (text === null) return { modules: [], errors: [{ file: entry, message: 'the file cannot be read', line: 0, column: 0 }] };
    for (const [name, { isFunction, place }] of add(entry, text).names) {
      const instead = name === 'default' && isFunction ? 'write what it does as steps: export default class extends Workflow { ... }' : EXPORTS_OF_OTHER_TOOLS[name];
      if (instead) report(entry, { message: `the export "${name}" does nothing here; ${instead}`, ...place });
    }
    for (const module of modules) checkImports(module, builtIn, nearest, report);
    if (errors.length === 0) modules.forEach((module, index) => (module.index = index));
    return { modules: errors.length === 0 ? modules.map(output) : [], errors };
  }

  function resolve(importer, specifier) {
    const parts = specifier.startsWith('/') ? [] : importer.split('/').slice(0, -1);
    const rooted = specifier.startsWith('/') || importer.startsWith('/');
    const path = [];
    for (const part of [...parts, ...specifier.split('/')]) {
      if (part === '' || part === '.') continue;
      if (part === '..' && path.length > 0 && path[path.length - 1] !== '..') path.pop();
      else if (part !== '..' || !rooted) path.push(part);
    }
    return (rooted ? '/' : '') + path.join('/');
  }

  function readJson(module) {
    try {
      JSON.parse(module.text);
    } catch (error) {
      throw new Fault(`not valid JSON: ${error.message}`, 1, 1);
    }
    module.json = true;
    module.requests = [];
    module.names.set('default', { local: '$hs_default' });
  }

  // Every name that a module offers, also through `export *`.
  function namesOf(module, builtIn, seen = new Set()) {
    if (module === BUILT_IN) return builtIn;
    if (module === null || seen.has(module)) return [];
    seen.add(module);
    const names = new Set(module.names.keys());
    for (const star of module.stars)
      for (const name of namesOf(star.target, builtIn, seen)) if (name !== 'default') names.add(name);
    return [...names];
  }

  function checkImports(module, builtIn, nearest, report) {
    for (const request of module.requests ?? []) {
      if (request.target === null || request.target.broken) continue;
      const names = namesOf(request.target, builtIn);
      for (const { name, line, column } of request.wanted) {
        if (name === '*' || names.includes(name)) continue;
        const near = nearest(name, names);
        const hint = near ? `; did you mean "${near}"?`
          : name === 'default' && names.length > 0 ? `; it exports ${names.slice(0, 8).map((n) => `"${n}"`).join(', ')}: import { ${names[0]} }`
          : '';
        report(module.file, { message: `"${request.specifier}" has no export "${name}"${hint}`, line, column });
      }
    }
  }

  function output(module) {
    if (module.json)
      return { file: module.file, text: module.text, json: true, code: module.text, edits: [], uses: [], stars: [], classes: [] };
    const index = (target) => (target === BUILT_IN ? -1 : target.index);
    return {
      file: module.file, text: module.text, json: false, code: module.code, edits: module.edits, classes: module.classes,
      uses: module.requests.map((request) => index(request.target)),
      stars: module.stars.map((request) => index(request.target)),
    };
  }

  // Reads one file: parses it, finds what refers to imports, and rewrites it in place.
  class Reader {
    constructor(acorn, module) {
      Object.assign(this, { acorn, module, text: module.text, changes: [], imports: new Map(), wraps: [], comments: [] });
      module.requests = [];
      module.classes = [];
    }

    read() {
      const tree = this.parse();
      for (const node of tree.body) if (node.type === 'ImportDeclaration') this.importDeclaration(node);
      for (const node of tree.body) this.topLevel(node);
      const scope = new Scope(null, true);
      scope.declareAll(tree.body);
      for (const name of this.imports.keys()) scope.names.delete(name);
      this.visitAll(tree.body, scope, { async: false });
      this.finish();
    }

    parse() {
      const reserved = this.text.indexOf('$hs_');
      if (reserved >= 0) {
        const before = this.text.slice(0, reserved).split('\n');
        throw new Fault('names that begin with "$hs_" are taken', before.length, before.at(-1).length + 1);
      }
      try {
        return this.acorn.parse(this.text, {
          ecmaVersion: 'latest', sourceType: 'module', locations: true, allowAwaitOutsideFunction: true, allowHashBang: true,
          onComment: (block, text, start, end) => this.comments.push({ block, start, end }),
        });
      } catch (error) {
        if (!error.loc) throw error;
        throw new Fault(`SyntaxError: ${error.message.replace(/ \(\d+:\d+\)$/, '')}`, error.loc.line, error.loc.column + 1);
      }
    }

    refuse(node, message) {
      throw new Fault(message, node.loc.start.line, node.loc.start.column + 1);
    }

    place(node) {
      return { line: node.loc.start.line, column: node.loc.start.column + 1 };
    }

    // --- imports and exports -------------------------------------------------------------------------------------

    request(source) {
      const known = this.module.requests.find((request) => request.specifier === source.value);
      if (known) return known;
      const request = { specifier: source.value, variable: `$hs_${this.module.requests.length}`, wanted: [], ...this.place(source) };
      this.module.requests.push(request);
      return request;
    }

    importDeclaration(node) {
      const request = this.request(node.source);
      for (const part of node.specifiers) {
        const name = part.type === 'ImportDefaultSpecifier' ? 'default' : part.type === 'ImportNamespaceSpecifier' ? '*' : nameOf(part.imported);
        request.wanted.push({ name, ...this.place(part.type === 'ImportSpecifier' ? part.imported : part.local) });
        this.imports.set(part.local.name, { request, name });
      }
      this.blank(node.start, node.end);
    }

    topLevel(node) {
      if (node.type === 'ExportAllDeclaration') {
        const request = this.request(node.source);
        if (node.exported) {
          request.wanted.push({ name: '*', ...this.place(node) });
          this.offer(nameOf(node.exported), { from: request, name: '*' });
        } else {
          this.module.stars.push(request);
        }
        this.blank(node.start, node.end);
      } else if (node.type === 'ExportNamedDeclaration') {
        this.exportNamed(node);
      } else if (node.type === 'ExportDefaultDeclaration') {
        this.exportDefault(node);
      }
    }

    exportNamed(node) {
      if (node.declaration) {
        this.blank(node.start, node.declaration.start);
        const names = node.declaration.id ? [node.declaration.id.name] : node.declaration.declarations.flatMap((d) => boundNames(d.id));
        for (const name of names) this.offer(name, { local: name, place: this.place(node) });
        return;
      }
      const request = node.source && this.request(node.source);
      for (const part of node.specifiers) {
        const local = nameOf(part.local);
        if (request) {
          request.wanted.push({ name: local, ...this.place(part.local) });
          this.offer(nameOf(part.exported), { from: request, name: local, place: this.place(part) });
        } else {
          const imported = this.imports.get(local);
          this.offer(nameOf(part.exported), { ...(imported ? { from: imported.request, name: imported.name } : { local }), place: this.place(part) });
        }
      }
      this.blank(node.start, node.end);
    }

    exportDefault(node) {
      const { declaration } = node;
      if (/^(Function|Class)Declaration$/.test(declaration.type)) {
        this.blank(node.start, declaration.start);
        if (!declaration.id) {
          const keyword = /^(async\s+)?(function\s*\*?|class)/.exec(this.text.slice(declaration.start))[0];
          this.insert(declaration.start + keyword.length, ' $hs_default ');
        }
        this.offer('default', { local: declaration.id ? declaration.id.name : '$hs_default', isFunction: declaration.type === 'FunctionDeclaration', place: this.place(node) });
      } else {
        this.replace(node.start, declaration.start, 'const $hs_default=');
        this.offer('default', { local: '$hs_default', isFunction: /Function/.test(declaration.type), place: this.place(node) });
      }
    }

    offer(name, source) {
      this.module.names.set(name, source);
    }

    // --- the walk ------------------------------------------------------------------------------------------------

    visitAll(nodes, scope, around) {
      for (const node of nodes) if (node) this.visit(node, scope, around);
    }

    visit(node, scope, around) {
      const special = this[node.type];
      if (special) special.call(this, node, scope, around);
      else this.children(node, scope, around);
    }

    children(node, scope, around) {
      for (const key in node) {
        const child = node[key];
        if (Array.isArray(child)) this.visitAll(child.filter((item) => item && item.type), scope, around);
        else if (child && typeof child === 'object' && child.type) this.visit(child, scope, around);
      }
    }

    // The import that a name means here, if it means one.
    imported(name, scope) {
      return scope.has(name) ? undefined : this.imports.get(name);
    }

    // The text that reads an import. What the built-in module offers never changes and is a constant of the function.
    reading(name, imported) {
      const { request } = imported;
      if (imported.name === '*' || request.specifier === BUILT_IN) return null;
      return /^[\w$]+$/.test(imported.name) ? `${request.variable}.${imported.name}` : `${request.variable}[${JSON.stringify(imported.name)}]`;
    }

    Identifier(node, scope, around) {
      const imported = this.imported(node.name, scope);
      const reading = imported && this.reading(node.name, imported);
      if (reading) this.replace(node.start, node.end, around.called === node ? `(0,${reading})` : reading);
    }

    Property(node, scope, around) {
      if (node.computed) this.visit(node.key, scope, around);
      if (node.shorthand && node.value.type === 'Identifier') {
        const imported = this.imported(node.value.name, scope);
        const reading = imported && this.reading(node.value.name, imported);
        if (reading) this.insert(node.end, `: ${reading}`);
      } else {
        this.visit(node.value, scope, around);
      }
    }

    MemberExpression(node, scope, around) {
      this.visit(node.object, scope, around);
      if (node.computed) this.visit(node.property, scope, around);
    }

    CallExpression(node, scope, around) {
      const simple = node.callee.type === 'Identifier';
      this.visit(node.callee, scope, simple ? { ...around, called: node.callee } : around);
      if (simple) this.preparedArguments(node, scope);
      this.visitAll(node.arguments, scope, around);
    }

    TaggedTemplateExpression(node, scope, around) {
      this.visit(node.tag, scope, node.tag.type === 'Identifier' ? { ...around, called: node.tag } : around);
      this.visit(node.quasi, scope, around);
    }

    AssignmentExpression(node, scope, around) {
      this.assigned(node.left, scope, around);
      this.visit(node.right, scope, around);
    }

    UpdateExpression(node, scope, around) {
      this.assigned(node.argument, scope, around);
    }

    assigned(target, scope, around) {
      for (const { name, node } of assignedNames(target))
        if (this.imported(name, scope)) this.refuse(node, `"${name}" is an import and cannot be assigned to`);
      this.pattern(target, scope, around);
    }

    // Names in a pattern are bound or assigned, not read; defaults and computed keys are read.
    pattern(node, scope, around) {
      if (!node) return;
      if (node.type === 'Identifier') return;
      if (node.type === 'ObjectPattern') {
        for (const part of node.properties) {
          if (part.type === 'RestElement') this.pattern(part.argument, scope, around);
          else {
            if (part.computed) this.visit(part.key, scope, around);
            this.pattern(part.value, scope, around);
          }
        }
      } else if (node.type === 'ArrayPattern') {
        for (const part of node.elements) this.pattern(part, scope, around);
      } else if (node.type === 'RestElement') {
        this.pattern(node.argument, scope, around);
      } else if (node.type === 'AssignmentPattern') {
        this.pattern(node.left, scope, around);
        this.visit(node.right, scope, around);
      } else {
        this.visit(node, scope, around);
      }
    }

    VariableDeclarator(node, scope, around) {
      this.pattern(node.id, scope, around);
      if (node.init) this.visit(node.init, scope, around);
    }

    // The body of a loop counts.
    loopBody(body, scope, around) {
      const block = body.type === 'BlockStatement';
      this.insert(block ? body.start + 1 : body.start, block ? `${COUNT};` : `{${COUNT};`);
      this.visit(body, scope, around);
      if (!block) this.insert(body.end, '}');
    }

    WhileStatement(node, scope, around) {
      this.visit(node.test, scope, around);
      this.loopBody(node.body, scope, around);
    }

    DoWhileStatement(node, scope, around) {
      this.loopBody(node.body, scope, around);
      this.visit(node.test, scope, around);
    }

    ForInStatement(node, scope, around) {
      const inner = new Scope(scope, false);
      if (node.left.type === 'VariableDeclaration') {
        inner.declareAll([node.left]);
        this.visit(node.left, inner, around);
      } else {
        this.assigned(node.left, scope, around);
      }
      this.visit(node.right, inner, around);
      this.loopBody(node.body, inner, around);
    }

    ForOfStatement(node, scope, around) {
      if (node.await) {
        if (!around.async) this.refuse(node, 'await at the top level of a file is not supported; put it into a step or an action');
        const block = node.body.type === 'BlockStatement';
        this.insert(block ? node.body.start + 1 : node.body.start, block ? 'await $hs_t();' : '{await $hs_t();');
        this.ForInStatement(node, scope, around);
        if (!block) this.insert(node.body.end, '}');
      } else {
        this.ForInStatement(node, scope, around);
      }
    }

    ForStatement(node, scope, around) {
      const inner = new Scope(scope, false);
      if (node.init && node.init.type === 'VariableDeclaration') inner.declareAll([node.init]);
      this.visitAll([node.init, node.test, node.update], inner, around);
      this.loopBody(node.body, inner, around);
    }

    BlockStatement(node, scope, around) {
      const inner = new Scope(scope, false);
      inner.declareAll(node.body);
      this.visitAll(node.body, inner, around);
    }

    StaticBlock(node, scope, around) {
      const inner = new Scope(scope, true);
      inner.declareAll(node.body);
      this.visitAll(node.body, inner, { ...around, async: false });
    }

    SwitchStatement(node, scope, around) {
      this.visit(node.discriminant, scope, around);
      const inner = new Scope(scope, false);
      inner.declareAll(node.cases.flatMap((part) => part.consequent));
      for (const part of node.cases) this.visitAll([part.test, ...part.consequent], inner, around);
    }

    CatchClause(node, scope, around) {
      const inner = new Scope(scope, false);
      if (node.param) {
        inner.bind(node.param);
        this.pattern(node.param, inner, around);
      }
      this.visit(node.body, inner, around);
    }

    functionLike(node, scope) {
      const inner = new Scope(scope, true);
      if (node.type === 'FunctionExpression' && node.id) inner.names.add(node.id.name);
      for (const param of node.params) inner.bind(param);
      const around = { async: node.async };
      for (const param of node.params) this.pattern(param, inner, around);
      if (node.body.type === 'BlockStatement') {
        inner.declareAll(node.body.body);
        this.insert(node.body.start + 1, `${COUNT};`);
        this.visitAll(node.body.body, inner, around);
      } else {
        this.insert(node.body.start, `(${COUNT},`);
        this.visit(node.body, inner, around);
        this.insert(node.body.end, ')');
      }
    }

    FunctionDeclaration(node, scope) {
      this.functionLike(node, scope);
    }

    FunctionExpression(node, scope) {
      this.functionLike(node, scope);
    }

    ArrowFunctionExpression(node, scope) {
      this.functionLike(node, scope);
    }

    ClassDeclaration(node, scope, around) {
      this.describeClass(node);
      const inner = new Scope(scope, false);
      if (node.id) inner.names.add(node.id.name);
      if (node.superClass) this.visit(node.superClass, inner, around);
      for (const member of node.body.body) {
        if (member.type === 'StaticBlock') {
          this.StaticBlock(member, inner, around);
          continue;
        }
        if (member.computed) this.visit(member.key, inner, around);
        if (member.value) this.visit(member.value, inner, { async: false });
      }
    }

    ClassExpression(node, scope, around) {
      this.ClassDeclaration(node, scope, around);
    }

    AwaitExpression(node, scope, around) {
      if (!around.async) this.refuse(node, 'await at the top level of a file is not supported; put it into a step or an action');
      // Counted, so that an endless loop around an await ends too.
      this.insert(node.start + 'await'.length, ' $hs_t(');
      this.visit(node.argument, scope, around);
      this.insert(node.end, ')');
    }

    ImportExpression(node) {
      this.refuse(node, 'import() is not supported: imports are linked before the run; write an import at the top of the file');
    }

    MetaProperty(node) {
      if (node.meta.name === 'import') this.refuse(node, 'import.meta is not supported');
    }

    LabeledStatement(node, scope, around) {
      this.visit(node.body, scope, around);
    }

    BreakStatement() {}
    ContinueStatement() {}
    ImportDeclaration() {}
    ExportAllDeclaration() {}

    ExportNamedDeclaration(node, scope, around) {
      if (node.declaration) this.visit(node.declaration, scope, around);
    }

    // --- what the host wants to know -------------------------------------------------------------------------------

    // Where a class and its members are, with the keys and texts inside each member, to point at in messages.
    describeClass(node) {
      const members = [];
      for (const member of node.body.body) {
        if (member.type !== 'PropertyDefinition' && member.type !== 'MethodDefinition') continue;
        if (member.computed || member.key.type === 'PrivateIdentifier') continue;
        const marks = [];
        if (member.type === 'PropertyDefinition' && member.value) collectMarks(member.value, marks);
        members.push({
          name: nameOf(member.key), isStatic: member.static, ...this.place(member.key),
          marks: marks.map((mark) => ({ text: mark.text, ...this.place(mark.node) })),
        });
      }
      const parent = node.superClass && node.superClass.type === 'Identifier' ? node.superClass.name : '';
      const imported = this.imports.get(parent);
      const base = imported && imported.request.specifier === BUILT_IN && imported.name === 'Workflow';
      this.module.classes.push({ name: node.id ? node.id.name : '$hs_default', extendsWorkflow: Boolean(base), members, ...this.place(node.id ?? node) });
    }

    // Default values of the kinds that are prepared before the loop. Each becomes a function of its own beside the hook,
    // so that the host can have the value without calling the hook.
    preparedArguments(node, scope) {
      const declaration = this.imported(node.callee.name, scope);
      if (!declaration || declaration.request.specifier !== BUILT_IN || !DECLARATIONS.has(declaration.name)) return;
      const hook = node.arguments[node.arguments.length - 1];
      if (!hook || !/^(Arrow)?Function/.test(hook.type) || hook.params[0]?.type !== 'ObjectPattern') return;
      const found = hook.params[0].properties.filter((part) => part.type === 'Property' && !part.computed &&
        part.value.type === 'AssignmentPattern' && part.value.right.type === 'CallExpression' && this.isArgumentType(part.value.right.callee, scope));
      if (found.length === 0) return;
      this.wraps.push({ hook, parts: found.map((part) => ({ name: nameOf(part.key), node: part.value.right })) });
    }

    isArgumentType(callee, scope) {
      if (callee.type !== 'Identifier') return false;
      const imported = this.imported(callee.name, scope);
      return Boolean(imported) && imported.request.specifier === BUILT_IN && ARGUMENT_TYPES.has(imported.name);
    }

    // --- rewriting -------------------------------------------------------------------------------------------------

    replace(start, end, text) {
      this.changes.push({ start, end, text, order: this.changes.length });
    }

    insert(at, text) {
      this.replace(at, at, text);
    }

    blank(start, end) {
      this.replace(start, end, this.text.slice(start, end).replace(/[^\n\r\u2028\u2029]/g, ' '));
    }

    finish() {
      for (const { hook, parts } of this.wraps) {
        const thunks = parts.map(({ name, node }) => `${JSON.stringify(name)}:()=>(${this.onOneLine(node)})`).join(',');
        this.insert(hook.start, `$hs_o({${thunks}},`);
        this.insert(hook.end, ')');
      }
      // Of two at one place an end of something inner comes before the start of the next.
      this.changes.sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
      this.module.code = this.prologue();
      this.module.edits = [{ line: 1, column: 0, shift: this.module.code.length }];
      this.apply();
      this.module.code += '\n})';
    }

    onOneLine(node) {
      const inside = this.changes.filter((change) => change.start >= node.start && change.end <= node.end);
      for (const { block, start, end } of this.comments)
        if (start >= node.start && end <= node.end) inside.push({ start, end, text: ' ', order: 0 });
      for (const quasi of templatePieces(node))
        for (const match of this.text.slice(quasi.start, quasi.end).matchAll(/\r?\n/g))
          inside.push({ start: quasi.start + match.index, end: quasi.start + match.index + match[0].length, text: '\\n', order: 0 });
      inside.sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
      let text = '';
      let at = node.start;
      for (const change of inside) {
        text += this.text.slice(at, change.start) + change.text;
        at = change.end;
      }
      return (text + this.text.slice(at, node.end)).replace(/[\n\r\u2028\u2029]/g, ' ');
    }

    prologue() {
      const { requests } = this.module;
      let text = `(function($hs_e,$hs_t,$hs_o,$hs_w${requests.map((request) => `,${request.variable}`).join('')}){"use strict";`;
      for (const [local, { request, name }] of this.imports) {
        if (name === '*') text += `const ${local}=${request.variable};`;
        else if (request.specifier === BUILT_IN) text += `const ${local}=${request.variable}.${name};`;
      }
      const getters = [...this.module.names].map(([name, { local, from, name: inner }]) => {
        const value = local ?? (inner === '*' ? from.variable : `${from.variable}[${JSON.stringify(inner)}]`);
        return `get ${JSON.stringify(name)}(){return ${value}}`;
      });
      return `${text}$hs_e({__proto__:null,${getters.join(',')}});`;
    }

    apply() {
      const { module, text } = this;
      if (text.startsWith('#!')) this.changes.unshift({ start: 0, end: 2, text: '//' });
      let at = 0;
      let line = 1;
      let column = module.code.length;
      const emit = (piece) => {
        module.code += piece;
        const lines = piece.split(/\r\n|[\n\r\u2028\u2029]/);
        line += lines.length - 1;
        column = lines.length > 1 ? lines[lines.length - 1].length : column + piece.length;
      };
      for (const change of this.changes) {
        emit(text.slice(at, change.start));
        emit(change.text);
        const shift = change.text.length - (change.end - change.start);
        if (shift !== 0) module.edits.push({ line, column: column + 1, shift });
        at = change.end;
      }
      emit(text.slice(at));
    }
  }

  class Scope {
    constructor(parent, isFunction) {
      this.parent = parent;
      this.isFunction = isFunction;
      this.names = new Set();
    }

    has(name) {
      return this.names.has(name) || (this.parent !== null && this.parent.has(name));
    }

    bind(pattern) {
      for (const name of boundNames(pattern)) this.names.add(name);
    }

    // What the statements of a body declare in it; a function's body also gets the `var`s of its blocks.
    declareAll(statements) {
      for (const statement of statements) {
        const node = statement.declaration ?? statement;
        if (/^(Function|Class)Declaration$/.test(node.type) && node.id) this.names.add(node.id.name);
        if (node.type === 'VariableDeclaration') for (const part of node.declarations) this.bind(part.id);
        if (this.isFunction) for (const name of varNames(statement)) this.names.add(name);
      }
    }
  }

  function nameOf(node) {
    return node.type === 'Identifier' ? node.name : String(node.value);
  }

  function boundNames(pattern) {
    return assignedNames(pattern).map(({ name }) => name);
  }

  function assignedNames(node) {
    if (!node) return [];
    switch (node.type) {
      case 'Identifier': return [{ name: node.name, node }];
      case 'ObjectPattern': return node.properties.flatMap((part) => assignedNames(part.type === 'RestElement' ? part.argument : part.value));
      case 'ArrayPattern': return node.elements.flatMap(assignedNames);
      case 'AssignmentPattern': return assignedNames(node.left);
      case 'RestElement': return assignedNames(node.argument);
      default: return [];
    }
  }

  function varNames(node) {
    if (!node || typeof node.type !== 'string' || /Function|^Class/.test(node.type)) return [];
    const own = node.type === 'VariableDeclaration' && node.kind === 'var' ? node.declarations.flatMap((part) => boundNames(part.id)) : [];
    for (const key in node) {
      const child = node[key];
      for (const item of Array.isArray(child) ? child : [child]) if (item && item.type && /Statement|Declaration|Clause|SwitchCase/.test(item.type)) own.push(...varNames(item));
    }
    return own;
  }

  function collectMarks(node, marks) {
    if (/Function/.test(node.type)) return;
    if (node.type === 'Literal' && typeof node.value === 'string') marks.push({ text: node.value, node });
    if (node.type === 'Property' && !node.computed) marks.push({ text: nameOf(node.key), node: node.key });
    for (const key in node) {
      const child = node[key];
      for (const item of Array.isArray(child) ? child : [child]) if (item && item.type) collectMarks(item, marks);
    }
  }

  function templatePieces(node) {
    if (node.type === 'TemplateElement') return [node];
    const pieces = [];
    for (const key in node) {
      const child = node[key];
      for (const item of Array.isArray(child) ? child : [child]) if (item && item.type) pieces.push(...templatePieces(item));
    }
    return pieces;
  }

  return link;
})();
