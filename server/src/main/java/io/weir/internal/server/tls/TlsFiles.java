package io.weir.internal.server.tls;

import static io.weir.internal.server.settings.ServerSettings.CERTIFICATE;
import static io.weir.internal.server.settings.ServerSettings.KEY;

import io.weir.InvalidSettingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The files of a certificate. Immutable.
 *
 * @param certificate the certificate and its chain, PEM
 * @param key its private key, PEM and PKCS #8
 */
public record TlsFiles(Path certificate, Path key) {
  /**
   * Reads the settings; empty for no TLS.
   *
   * @throws InvalidSettingException if one is missing, or its file can't be read
   */
  public static Optional<TlsFiles> read(UnaryOperator<String> settings) {
    String certificate = CERTIFICATE.read(settings);
    String key = KEY.read(settings);
    if (certificate.isEmpty() && key.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new TlsFiles(file(CERTIFICATE.name(), certificate), file(KEY.name(), key)));
  }

  private static Path file(String setting, String name) {
    if (name.isEmpty()) {
      throw new InvalidSettingException(
          CERTIFICATE.name() + " and " + KEY.name() + " must be set together");
    }
    Path file = Path.of(name);
    if (!Files.isReadable(file)) {
      throw new InvalidSettingException(
          setting + ": the file " + name + " doesn't exist or can't be read");
    }
    return file;
  }
}
