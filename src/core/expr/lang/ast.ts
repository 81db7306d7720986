/** The syntax tree of an expression; every node knows where it stands. */

interface Located {
  /** In UTF-16 units from the beginning of the source; where errors point. */
  readonly offset: number;
}

/** Each kind of node by the name in its `kind`. */
export interface NodeByKind {
  readonly nil: NilNode;
  readonly boolean: BooleanNode;
  readonly integer: IntegerNode;
  readonly float: FloatNode;
  readonly string: StringNode;
  readonly identifier: IdentifierNode;
  readonly pointer: PointerNode;
  readonly unary: UnaryNode;
  readonly binary: BinaryNode;
  readonly member: MemberNode;
  readonly chain: ChainNode;
  readonly slice: SliceNode;
  readonly call: CallNode;
  readonly builtin: BuiltinNode;
  readonly predicate: PredicateNode;
  readonly conditional: ConditionalNode;
  readonly let: LetNode;
  readonly sequence: SequenceNode;
  readonly array: ArrayNode;
  readonly map: MapNode;
}

export type NodeKind = keyof NodeByKind;
export type ExprNode = NodeOf<NodeKind>;
type NodeOf<Kind extends NodeKind> = { [K in Kind]: NodeByKind[K] & { readonly kind: K } }[Kind];

/** What to do with a node of each kind: a new kind fails to compile until every table has a row for it. */
export type NodeTable<Context, Answer> = {
  readonly [Kind in NodeKind]: (node: NodeByKind[Kind], context: Context) => Answer;
};

/** The answer of the table's row for this kind of node. */
export function visitNode<Kind extends NodeKind, Context, Answer>(
  table: NodeTable<Context, Answer>,
  node: NodeOf<Kind>,
  context: Context,
): Answer {
  const kind: Kind = node.kind;
  return table[kind](node, context);
}

export interface NilNode extends Located {
  readonly kind: "nil";
}

export interface BooleanNode extends Located {
  readonly kind: "boolean";
  readonly value: boolean;
}

export interface IntegerNode extends Located {
  readonly kind: "integer";
  readonly value: bigint;
}

export interface FloatNode extends Located {
  readonly kind: "float";
  readonly value: number;
}

export interface StringNode extends Located {
  readonly kind: "string";
  readonly value: string;
}

export interface IdentifierNode extends Located {
  readonly kind: "identifier";
  readonly name: string;
}

/** `#` (an empty name), `#index`, `#acc`; also what a leading `.field` stands on. */
export interface PointerNode extends Located {
  readonly kind: "pointer";
  readonly name: string;
}

export interface UnaryNode extends Located {
  readonly kind: "unary";
  readonly operator: string;
  readonly operand: ExprNode;
}

export interface BinaryNode extends Located {
  readonly kind: "binary";
  readonly operator: string;
  readonly left: ExprNode;
  readonly right: ExprNode;
}

/** `base.name`, `base[key]`, `base?.name`. */
export interface MemberNode extends Located {
  readonly kind: "member";
  readonly base: ExprNode;
  readonly property: ExprNode;
  readonly optional: boolean;
  /** It is called: matters for messages only. */
  readonly method: boolean;
}

/** A run of member accesses with a `?.` in it: nil on the way makes the whole of it nil. */
export interface ChainNode extends Located {
  readonly kind: "chain";
  readonly inner: ExprNode;
}

export interface SliceNode extends Located {
  readonly kind: "slice";
  readonly base: ExprNode;
  readonly from: ExprNode | undefined;
  readonly to: ExprNode | undefined;
}

export interface CallNode extends Located {
  readonly kind: "call";
  readonly callee: ExprNode;
  readonly args: readonly ExprNode[];
}

export interface BuiltinNode extends Located {
  readonly kind: "builtin";
  readonly name: string;
  readonly args: readonly ExprNode[];
}

/** The body that a builtin applies to each element. */
export interface PredicateNode extends Located {
  readonly kind: "predicate";
  readonly body: ExprNode;
}

export interface ConditionalNode extends Located {
  readonly kind: "conditional";
  readonly condition: ExprNode;
  readonly whenTrue: ExprNode;
  readonly whenFalse: ExprNode;
}

export interface LetNode extends Located {
  readonly kind: "let";
  readonly name: string;
  readonly value: ExprNode;
  readonly body: ExprNode;
}

/** `a; b`: the value of the last. */
export interface SequenceNode extends Located {
  readonly kind: "sequence";
  readonly nodes: readonly ExprNode[];
}

export interface ArrayNode extends Located {
  readonly kind: "array";
  readonly elements: readonly ExprNode[];
}

export interface MapNode extends Located {
  readonly kind: "map";
  readonly pairs: readonly { readonly key: ExprNode; readonly value: ExprNode }[];
}

const none = (): readonly ExprNode[] => [];

const childrenTable: NodeTable<undefined, readonly ExprNode[]> = {
  nil: none,
  boolean: none,
  integer: none,
  float: none,
  string: none,
  identifier: none,
  pointer: none,
  unary: (node) => [node.operand],
  binary: (node) => [node.left, node.right],
  member: (node) => [node.base, node.property],
  chain: (node) => [node.inner],
  slice: (node) => [node.base, node.from, node.to].filter((part) => part !== undefined),
  call: (node) => [node.callee, ...node.args],
  builtin: (node) => node.args,
  predicate: (node) => [node.body],
  conditional: (node) => [node.condition, node.whenTrue, node.whenFalse],
  let: (node) => [node.value, node.body],
  sequence: (node) => node.nodes,
  array: (node) => node.elements,
  map: (node) => node.pairs.flatMap((pair) => [pair.key, pair.value]),
};

/** The nodes directly below, in source order. */
export function childrenOf(node: ExprNode): readonly ExprNode[] {
  return visitNode(childrenTable, node, undefined);
}

export interface Spine {
  /** What stands left of all operators. */
  readonly first: ExprNode;
  /** The innermost first. */
  readonly binaries: readonly BinaryNode[];
}

/** `a && b && c` has its operators down its left side: a thousand of them are long, and not deep. */
export function spineOf(node: BinaryNode): Spine {
  const binaries = [node];
  let first = node.left;
  for (; first.kind === "binary"; first = first.left) binaries.push(first);
  return { first, binaries: binaries.reverse() };
}
