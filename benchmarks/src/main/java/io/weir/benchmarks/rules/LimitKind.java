package io.weir.benchmarks.rules;

/** The kind of limits for the requests of one JVM. */
enum LimitKind {
  /** An annotation, and there is no weir-rules. */
  ANNOTATED(true, false, false),
  /** An annotation; many rules beside it, none of which matches. */
  ANNOTATED_BESIDE_RULES(true, true, false),
  /** One rule of the caller's tier. */
  RULE(false, true, false),
  /** The same, and usage is counted, which is the default. */
  RULE_AND_USAGE(false, true, true),
  /** Nothing, and there is no weir-rules. */
  NOTHING(false, false, false),
  /** Nothing: none of many rules matches. */
  NO_RULE(false, true, false);

  private final boolean annotated;
  private final boolean rules;
  private final boolean usage;

  LimitKind(boolean annotated, boolean rules, boolean usage) {
    this.annotated = annotated;
    this.rules = rules;
    this.usage = usage;
  }

  boolean isAnnotated() {
    return annotated;
  }

  boolean hasRules() {
    return rules;
  }

  boolean countsUsage() {
    return usage;
  }

  /** Answers a request. */
  String endpoint(int number) {
    return this == RULE || this == RULE_AND_USAGE
        ? Tables.endpoint(number)
        : "/other/things" + number + "/{id}";
  }
}
