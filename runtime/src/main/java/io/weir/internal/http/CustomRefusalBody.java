package io.weir.internal.http;

import io.weir.spi.RefusalInfo;
import io.weir.spi.RefusalText;
import java.util.Optional;

/**
 * What an application says to refused callers itself.
 *
 * <p>Immutable.
 *
 * @param text nothing for the standard document
 * @param lasting whether it would say the same the next time
 */
public record CustomRefusalBody(Optional<RefusalText> text, boolean lasting) {
  /** The application could not be asked. */
  public static final CustomRefusalBody UNKNOWN = new CustomRefusalBody(Optional.empty(), false);

  /** Where they come from. Answers in a limited time, and doesn't throw. */
  @FunctionalInterface
  public interface Source {
    /**
     * Asks the application.
     *
     * @param refusal what callers are told
     * @return its words
     */
    CustomRefusalBody of(RefusalInfo refusal);
  }
}
