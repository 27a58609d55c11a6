package io.weir.servlet;

import io.weir.spi.DecisionPhase;
import java.util.List;
import java.util.Locale;

/** Where a filter stands in the chain. */
enum FilterPhase {
  /** Before whatever signs users in. */
  BEFORE,
  /** Behind it. */
  AFTER,
  /** Alone. */
  BOTH;

  private static final List<DecisionPhase> FIRST = List.of(DecisionPhase.BEFORE_AUTHENTICATION);
  private static final List<DecisionPhase> ALL =
      List.of(DecisionPhase.BEFORE_AUTHENTICATION, DecisionPhase.AFTER_AUTHENTICATION);

  /**
   * What is decided here unless it was before. The second of two decides all that is left, so that
   * a chain without a first one limits as well.
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
