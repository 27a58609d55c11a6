package io.weir.internal.control.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads {@code weir.control.sign-in}, the address of the application's page for signing in. */
public final class SignInAddress {
  private static final Set<String> SCHEMES = Set.of("http", "https");

  private SignInAddress() {}

  /**
   * Checks the setting.
   *
   * @throws IllegalArgumentException if it isn't blank, and browsers can't open a page there
   */
  public static void check(UnaryOperator<String> settings) {
    String address = ControlSettings.SIGN_IN.read(settings).strip();
    if (!address.isEmpty() && !isPage(address)) {
      throw new IllegalArgumentException(
          ControlSettings.SIGN_IN.name()
              + " = '"
              + address
              + "': must be a path such as /login, or an http or https address");
    }
  }

  /**
   * Returns the address; empty if none is set, or if the setting has changed to one that {@link
   * #check} rejects.
   */
  public static Optional<String> of(UnaryOperator<String> settings) {
    return Optional.of(ControlSettings.SIGN_IN.read(settings).strip())
        .filter(address -> !address.isEmpty() && isPage(address));
  }

  /** A link to {@code javascript:} or {@code data:} would run or show what no page is. */
  private static boolean isPage(String address) {
    try {
      URI uri = new URI(address);
      return uri.getScheme() == null
          ? !uri.getSchemeSpecificPart().isEmpty()
          : uri.getHost() != null && SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT));
    } catch (URISyntaxException malformed) {
      return false;
    }
  }
}
