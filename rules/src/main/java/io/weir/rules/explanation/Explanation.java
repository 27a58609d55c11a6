package io.weir.rules.explanation;

import java.util.List;

/**
 * Explains what limits a request, and why.
 *
 * @param caller the caller and how it was identified: {@code user alice}, {@code key sha256:…},
 *     {@code anonymous, by address}
 * @param tier the tier and its source: {@code premium (user_tiers)}
 * @param parts each policy that could decide the request; those that do come first
 */
public record Explanation(String caller, String tier, List<Part> parts) {
  /**
   * Explains one policy or rule.
   *
   * @param policy its name
   * @param holds whether it decides the request
   * @param limit permits per window for the caller; 0 if it doesn't hold
   * @param window the window as it is written
   * @param source the source of the limit: {@code annotation}, {@code settings}, {@code rule 17},
   *     {@code own limit}, {@code switch}
   * @param reason the reason why it holds or not, as a sentence
   */
  public record Part(
      String policy, boolean holds, long limit, String window, String source, String reason) {}

  /**
   * Copies the parts.
   *
   * @param caller the caller and how it was identified
   * @param tier the tier and its source
   * @param parts each policy that could decide the request
   */
  public Explanation {
    parts = List.copyOf(parts);
  }

  /**
   * Returns the tier alone.
   *
   * @return {@link #tier()} without its source
   */
  public String tierName() {
    int end = tier.lastIndexOf(" (");
    return end < 0 ? tier : tier.substring(0, end);
  }
}
