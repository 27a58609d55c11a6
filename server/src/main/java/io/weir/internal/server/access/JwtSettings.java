package io.weir.internal.server.access;

import io.weir.InvalidSettingException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Which JWTs let in. Immutable.
 *
 * @param issuer who issues them
 * @param audience whom they must be for
 * @param keys where the issuer's keys are: an address of HTTPS (HTTP on loopback), or a file
 * @param rolesClaim the claim with the roles; where there is none of that name, dots lead into
 *     objects
 */
public record JwtSettings(String issuer, String audience, String keys, String rolesClaim) {
  private static final String PREFIX = "weir.server.jwt.";

  /**
   * Reads them.
   *
   * @param setting reads a setting by its full name
   * @return nothing if none is set
   * @throws InvalidSettingException if some are missing
   */
  public static Optional<JwtSettings> read(UnaryOperator<String> setting) {
    String issuer = setting.apply(PREFIX + "issuer").strip();
    String audience = setting.apply(PREFIX + "audience").strip();
    String keys = setting.apply(PREFIX + "keys").strip();
    if (issuer.isEmpty() && audience.isEmpty() && keys.isEmpty()) {
      return Optional.empty();
    }
    if (issuer.isEmpty() || audience.isEmpty() || keys.isEmpty()) {
      throw new InvalidSettingException(
          "weir.server.jwt.issuer, .audience and .keys are set together, or none of them");
    }
    return Optional.of(
        new JwtSettings(issuer, audience, keys, setting.apply(PREFIX + "roles-claim").strip()));
  }
}
