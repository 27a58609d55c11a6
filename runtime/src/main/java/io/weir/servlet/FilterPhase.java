package io.weir.servlet;

import io.weir.spi.DecisionPhase;
import java.util.List;
import java.util.Locale;

/** Where a filter stands in the chain. */
enum FilterPhase {
  /** Before the filter that signs users in. */
  BEFORE,
  /** After that filter. */
  AFTER,
  /** The only filter of its kind. */
  BOTH;

  private static final List<DecisionPhase> FIRST = List.of(DecisionPhase.BEFORE_AUTHENTICATION);
  private static final List<DecisionPhase> ALL =
      List.of(DecisionPhase.BEFORE_AUTHENTICATION, DecisionPhase.AFTER_AUTHENTICATION);

  /**
   * The phases that are decided here unless they were before. The second of two filters decides all
   * that is left, so a chain without the first one limits too.
   */
  List<DecisionPhase> phases() {
    return this == BEFORE ? FIRST : ALL;
  }

  static FilterPhase of(String text) {
    for (FilterPhase each : values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "init parameter phase must be before, after or both, not '" + text + "'");
  }
}
