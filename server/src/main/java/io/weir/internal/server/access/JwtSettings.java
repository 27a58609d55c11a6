package io.weir.internal.server.access;

import io.weir.InvalidSettingException;
import io.weir.internal.server.settings.ServerSettings;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The JWTs that are accepted. Immutable.
 *
 * @param keys the source of the issuer's keys: an HTTPS address (HTTP on loopback), or a file
 * @param rolesClaim the claim with the roles; if there is no claim of that name, dots lead into
 *     objects
 */
public record JwtSettings(String issuer, String audience, String keys, String rolesClaim) {
  /**
   * Reads the settings; empty if none is set.
   *
   * @throws InvalidSettingException if some are missing
   */
  public static Optional<JwtSettings> read(UnaryOperator<String> settings) {
    String issuer = ServerSettings.JWT_ISSUER.read(settings);
    String audience = ServerSettings.JWT_AUDIENCE.read(settings);
    String keys = ServerSettings.JWT_KEYS.read(settings);
    if (issuer.isEmpty() && audience.isEmpty() && keys.isEmpty()) {
      return Optional.empty();
    }
    if (issuer.isEmpty() || audience.isEmpty() || keys.isEmpty()) {
      throw new InvalidSettingException(
          "weir.server.jwt.issuer, .audience and .keys must be set together");
    }
    return Optional.of(
        new JwtSettings(issuer, audience, keys, ServerSettings.JWT_ROLES.read(settings)));
  }
}
