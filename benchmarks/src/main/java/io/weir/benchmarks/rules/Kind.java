package io.weir.benchmarks.rules;

/** What limits the requests of one JVM. */
enum Kind {
  /** An annotation, and there is no weir-rules. */
  ANNOTATED(true, false),
  /** An annotation; many rules beside it, none of which matches. */
  ANNOTATED_BESIDE_RULES(true, true),
  /** One rule of the caller's tier. */
  RULE(false, true),
  /** Nothing, and there is no weir-rules. */
  NOTHING(false, false),
  /** Nothing: none of many rules matches. */
  NO_RULE(false, true);

  private final boolean annotated;
  private final boolean rules;

  Kind(boolean annotated, boolean rules) {
    this.annotated = annotated;
    this.rules = rules;
  }

  boolean isAnnotated() {
    return annotated;
  }

  boolean hasRules() {
    return rules;
  }

  /** What answers a request. */
  String endpoint(int number) {
    return this == RULE ? Tables.endpoint(number) : "/other/things" + number + "/{id}";
  }
}
