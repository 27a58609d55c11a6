package io.weir.internal.server.tls;

import io.weir.InvalidSettingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The files of a certificate. Immutable.
 *
 * @param certificate PEM: the certificate, and its chain
 * @param key PEM and PKCS #8: its private key
 */
public record TlsFiles(Path certificate, Path key) {
  private static final String CERTIFICATE = "weir.server.tls.certificate";
  private static final String KEY = "weir.server.tls.key";

  /**
   * Reads the settings.
   *
   * @param setting reads a setting by its full name
   * @return nothing: no TLS
   * @throws InvalidSettingException if one is missing, or names no file that can be read
   */
  public static Optional<TlsFiles> read(UnaryOperator<String> setting) {
    String certificate = setting.apply(CERTIFICATE).strip();
    String key = setting.apply(KEY).strip();
    if (certificate.isEmpty() && key.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new TlsFiles(file(CERTIFICATE, certificate), file(KEY, key)));
  }

  private static Path file(String setting, String name) {
    if (name.isEmpty()) {
      throw new InvalidSettingException(CERTIFICATE + " and " + KEY + " are set together");
    }
    Path file = Path.of(name);
    if (!Files.isReadable(file)) {
      throw new InvalidSettingException(setting + ": there is no file " + name + " to read");
    }
    return file;
  }
}
