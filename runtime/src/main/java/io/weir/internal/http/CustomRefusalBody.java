package io.weir.internal.http;

import io.weir.spi.RefusalInfo;
import io.weir.spi.RefusalText;
import java.util.Optional;

/**
 * The answer of an application that writes the bodies of its refusals itself.
 *
 * <p>Immutable.
 *
 * @param text the body; empty for the standard one
 * @param cacheable whether the application would answer the same again
 */
public record CustomRefusalBody(Optional<RefusalText> text, boolean cacheable) {
  /** Stands for an application that failed or didn't answer in time. */
  public static final CustomRefusalBody UNKNOWN = new CustomRefusalBody(Optional.empty(), false);

  /** Asks the application. Answers in a limited time and doesn't throw. */
  @FunctionalInterface
  public interface Source {
    CustomRefusalBody of(RefusalInfo refusal);
  }
}
