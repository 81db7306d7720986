/** Where Argo v4.1.2 is not right: what is, and the lesson that says so. All else is to be as Argo has it. */

export interface Ruling {
  /** The row of the lessons, or the law. */
  readonly rule: string;
  /** By the path of a difference: the right value. */
  readonly right: Readonly<Record<string, string>>;
}

export const rulings: Readonly<Record<string, Ruling>> = {};
