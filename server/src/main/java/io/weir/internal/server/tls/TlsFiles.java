package io.weir.internal.server.tls;

import static io.weir.internal.server.settings.ServerSettingDeclarations.CERTIFICATE;
import static io.weir.internal.server.settings.ServerSettingDeclarations.KEY;

import io.weir.InvalidSettingException;
import io.weir.internal.value.SettingValues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The files of a certificate. Immutable.
 *
 * @param certificate the certificate and its chain, PEM
 * @param key its private key, PEM and PKCS #8
 */
public record TlsFiles(Path certificate, Path key) {
  /**
   * Reads the settings.
   *
   * @param settings the settings
   * @return the files; empty for no TLS
   * @throws InvalidSettingException if one is missing, or its file can't be read
   */
  public static Optional<TlsFiles> read(SettingValues settings) {
    String certificate = settings.word(CERTIFICATE);
    String key = settings.word(KEY);
    if (certificate.isEmpty() && key.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new TlsFiles(file(CERTIFICATE, certificate), file(KEY, key)));
  }

  private static Path file(String setting, String name) {
    if (name.isEmpty()) {
      throw new InvalidSettingException(CERTIFICATE + " and " + KEY + " must be set together");
    }
    Path file = Path.of(name);
    if (!Files.isReadable(file)) {
      throw new InvalidSettingException(
          setting + ": the file " + name + " doesn't exist or can't be read");
    }
    return file;
  }
}
