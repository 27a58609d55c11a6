package io.weir.internal.server.tls;

import io.weir.InvalidSettingException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;

/** PEM files as what Java's TLS wants. */
final class PemKeyStore {
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";

  /** What each kind of key signs with. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  private PemKeyStore() {}

  /**
   * Reads PEM into a key store in memory, whose key has an empty password.
   *
   * @param alias what the key is called
   * @param certificate the certificate and its chain
   * @param key its private key, PKCS #8
   * @return a key store with one key
   * @throws InvalidSettingException if they can't be used
   */
  static KeyStore read(String alias, String certificate, String key) {
    try {
      Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(certificate.getBytes(StandardCharsets.ISO_8859_1)))
              .toArray(new Certificate[0]);
      if (chain.length == 0) {
        throw new InvalidSettingException("weir.server.tls.certificate has no certificate");
      }
      PrivateKey parsed = key(key);
      checkPair(chain[0].getPublicKey(), parsed);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(alias, parsed, new char[0], chain);
      return store;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
      throw new InvalidSettingException(
          "weir.server.tls.certificate can't be used: " + unusable.getMessage());
    }
  }

  private static PrivateKey key(String pem) throws GeneralSecurityException {
    int begin = pem.indexOf(BEGIN);
    int end = pem.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new InvalidSettingException(
          "weir.server.tls.key must be PKCS #8, beginning with " + BEGIN);
    }
    byte[] bytes = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
    for (String algorithm : SIGNATURES.keySet()) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
      } catch (InvalidKeySpecException another) {
        // the next one
      }
    }
    throw new InvalidSettingException("weir.server.tls.key is neither RSA nor EC nor Ed25519");
  }

  /** Two files are replaced one after the other, so they may not belong together. */
  private static void checkPair(PublicKey shown, PrivateKey key) throws GeneralSecurityException {
    boolean fits = false;
    String signing = SIGNATURES.get(key.getAlgorithm());
    if (signing != null && shown.getAlgorithm().equals(key.getAlgorithm())) {
      Signature signature = Signature.getInstance(signing);
      signature.initSign(key);
      byte[] signed = signature.sign();
      signature.initVerify(shown);
      fits = signature.verify(signed);
    }
    if (!fits) {
      throw new InvalidSettingException(
          "weir.server.tls.key isn't the key of weir.server.tls.certificate");
    }
  }
}
