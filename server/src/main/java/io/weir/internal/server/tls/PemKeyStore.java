package io.weir.internal.server.tls;

import io.weir.InvalidSettingException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/** PEM files as what Java's TLS wants. */
public final class PemKeyStore {
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

  private PemKeyStore() {}

  /**
   * Reads the files into a key store in memory, whose key has an empty password.
   *
   * @param files the files
   * @return a key store with one key
   * @throws InvalidSettingException if they can't be used
   */
  public static KeyStore read(TlsFiles files) {
    try (InputStream in = Files.newInputStream(files.certificate())) {
      Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(in)
              .toArray(new Certificate[0]);
      if (chain.length == 0) {
        throw new InvalidSettingException(files.certificate() + " has no certificate");
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("weir", key(files), new char[0], chain);
      return store;
    } catch (IOException | GeneralSecurityException unusable) {
      throw new InvalidSettingException(
          "weir.server.tls.certificate can't be used: " + unusable.getMessage());
    }
  }

  private static PrivateKey key(TlsFiles files) throws IOException, GeneralSecurityException {
    String pem = Files.readString(files.key(), StandardCharsets.US_ASCII);
    int begin = pem.indexOf(BEGIN);
    int end = pem.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new InvalidSettingException(
          "weir.server.tls.key must be PKCS #8, beginning with " + BEGIN);
    }
    byte[] bytes = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
      } catch (InvalidKeySpecException another) {
        // the next one
      }
    }
    throw new InvalidSettingException("weir.server.tls.key is neither RSA nor EC nor Ed25519");
  }
}
