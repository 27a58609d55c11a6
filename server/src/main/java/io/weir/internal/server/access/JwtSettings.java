package io.weir.internal.server.access;

import io.weir.InvalidSettingException;
import io.weir.internal.server.settings.ServerSettingDeclarations;
import io.weir.internal.value.SettingValues;
import java.util.Optional;

/**
 * The JWTs that are accepted. Immutable.
 *
 * @param issuer the issuer that they must have
 * @param audience the audience that they must name
 * @param keys the source of the issuer's keys: an HTTPS address (HTTP on loopback), or a file
 * @param rolesClaim the claim with the roles; if there is no claim of that name, dots lead into
 *     objects
 */
public record JwtSettings(String issuer, String audience, String keys, String rolesClaim) {
  /**
   * Reads the settings.
   *
   * @param settings the settings
   * @return empty if none is set
   * @throws InvalidSettingException if some are missing
   */
  public static Optional<JwtSettings> read(SettingValues settings) {
    String issuer = settings.word(ServerSettingDeclarations.JWT_ISSUER);
    String audience = settings.word(ServerSettingDeclarations.JWT_AUDIENCE);
    String keys = settings.word(ServerSettingDeclarations.JWT_KEYS);
    if (issuer.isEmpty() && audience.isEmpty() && keys.isEmpty()) {
      return Optional.empty();
    }
    if (issuer.isEmpty() || audience.isEmpty() || keys.isEmpty()) {
      throw new InvalidSettingException(
          "weir.server.jwt.issuer, .audience and .keys must be set together");
    }
    return Optional.of(
        new JwtSettings(
            issuer, audience, keys, settings.word(ServerSettingDeclarations.JWT_ROLES)));
  }
}
