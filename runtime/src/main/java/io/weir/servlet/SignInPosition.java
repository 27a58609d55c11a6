package io.weir.servlet;

import io.weir.spi.DecisionPhase;
import java.util.List;
import java.util.Locale;

/** The position of a filter in the chain, relative to the filter that signs users in. */
enum SignInPosition {
  /** Before the sign-in. */
  BEFORE,
  /** After the sign-in. */
  AFTER,
  /** The only rate limit filter. */
  BOTH;

  private static final List<DecisionPhase> FIRST = List.of(DecisionPhase.BEFORE_AUTHENTICATION);
  private static final List<DecisionPhase> ALL =
      List.of(DecisionPhase.BEFORE_AUTHENTICATION, DecisionPhase.AFTER_AUTHENTICATION);

  /**
   * Returns the phases that the filter decides if they are still undecided. The second of two
   * filters decides both, so that requests which bypass the first are limited too.
   */
  List<DecisionPhase> phases() {
    return this == BEFORE ? FIRST : ALL;
  }

  static SignInPosition of(String text) {
    for (SignInPosition each : values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "init parameter phase must be before, after or both, not '" + text + "'");
  }
}
