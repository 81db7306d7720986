/** The syntax tree of an expression; every node knows where it stands. */

interface Located {
  /** In UTF-16 units from the beginning of the source; where errors point. */
  readonly offset: number;
}

export type ExprNode =
  | NilNode
  | BooleanNode
  | IntegerNode
  | FloatNode
  | StringNode
  | IdentifierNode
  | PointerNode
  | UnaryNode
  | BinaryNode
  | MemberNode
  | ChainNode
  | SliceNode
  | CallNode
  | BuiltinNode
  | PredicateNode
  | ConditionalNode
  | LetNode
  | SequenceNode
  | ArrayNode
  | MapNode;

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

/** The nodes directly below, in source order. */
export function childrenOf(node: ExprNode): readonly ExprNode[] {
  switch (node.kind) {
    case "unary":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
    case "member":
      return [node.base, node.property];
    case "chain":
      return [node.inner];
    case "slice":
      return [node.base, node.from, node.to].filter((part) => part !== undefined);
    case "call":
      return [node.callee, ...node.args];
    case "builtin":
      return node.args;
    case "predicate":
      return [node.body];
    case "conditional":
      return [node.condition, node.whenTrue, node.whenFalse];
    case "let":
      return [node.value, node.body];
    case "sequence":
      return node.nodes;
    case "array":
      return node.elements;
    case "map":
      return node.pairs.flatMap((pair) => [pair.key, pair.value]);
    default:
      return [];
  }
}
