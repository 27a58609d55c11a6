package io.weir.internal.server.access;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** JWTs as the settings have them: their keys, and what verifies them. Safe for concurrent use. */
public final class JwtAccess implements AutoCloseable {
  private final JwtKeys keys;
  private final JwtVerifier verifier;

  private JwtAccess(JwtKeys keys, JwtVerifier verifier) {
    this.keys = keys;
    this.verifier = verifier;
  }

  /**
   * Reads settings and keys.
   *
   * @param setting reads a setting by its full name
   * @return nothing: no JWT lets in
   * @throws io.weir.InvalidSettingException if the settings can't be used
   */
  public static Optional<JwtAccess> open(UnaryOperator<String> setting) {
    return JwtSettings.read(setting)
        .map(
            settings -> {
              JwtKeys keys = new JwtKeys(JwtKeySourceFactory.of(settings.keys()), System::nanoTime);
              keys.readFirst();
              return new JwtAccess(keys, new JwtVerifier(settings, keys, InstantSource.system()));
            });
  }

  /**
   * What verifies them.
   *
   * @return always the same
   */
  public JwtVerifier verifier() {
    return verifier;
  }

  /** Follows the keys no more. Idempotent. */
  @Override
  public void close() {
    keys.close();
  }
}
