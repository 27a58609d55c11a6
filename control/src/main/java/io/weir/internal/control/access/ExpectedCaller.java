package io.weir.internal.control.access;

import io.weir.internal.control.http.Problem;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Compares whom a page believes to be signed in with who is. All tabs of a browser share one
 * session, so whoever signs in in one tab would otherwise change something by a page that shows
 * another's name.
 *
 * <p>The page sends the name in the header {@code X-Weir-Caller}, percent-encoded as UTF-8. A
 * request without it is anybody's.
 */
public final class ExpectedCaller {
  private static final String HEADER = "X-Weir-Caller";
  private static final int CONFLICT = 409;

  private ExpectedCaller() {}

  /**
   * Returns the problem, whose member {@code signedInAs} is the name, if the page expects another
   * caller.
   */
  public static Optional<Problem> problem(UnaryOperator<@Nullable String> headers, String name) {
    String expected = headers.apply(HEADER);
    return expected == null || name.equals(decoded(expected))
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                    CONFLICT,
                    "Another user has signed in in this browser since the page was loaded. Reload"
                        + " the page.")
                .with("signedInAs", name));
  }

  private static @Nullable String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }
}
