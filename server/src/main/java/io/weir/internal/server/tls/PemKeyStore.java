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

/** Reads PEM files into a key store for Java's TLS. */
final class PemKeyStore {
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";

  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  private PemKeyStore() {}

  /**
   * Reads PEM into a key store in memory, whose key has an empty password.
   *
   * @param certificate the certificate and its chain
   * @param key its private key, PKCS #8
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
        throw new InvalidSettingException("weir.server.tls.certificate contains no certificate");
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
          "weir.server.tls.key must be PKCS #8 and begin with " + BEGIN);
    }
    byte[] bytes = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
    for (String algorithm : SIGNATURES.keySet()) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
      } catch (InvalidKeySpecException another) {
        // try the next algorithm
      }
    }
    throw new InvalidSettingException("weir.server.tls.key must be an RSA, EC or Ed25519 key");
  }

  /** Checks that both belong together, since the files are replaced one after the other. */
  private static void checkPair(PublicKey shown, PrivateKey key) throws GeneralSecurityException {
    boolean isPair = false;
    String signing = SIGNATURES.get(key.getAlgorithm());
    if (signing != null && shown.getAlgorithm().equals(key.getAlgorithm())) {
      Signature signature = Signature.getInstance(signing);
      signature.initSign(key);
      byte[] signed = signature.sign();
      signature.initVerify(shown);
      isPair = signature.verify(signed);
    }
    if (!isPair) {
      throw new InvalidSettingException(
          "weir.server.tls.key doesn't belong to weir.server.tls.certificate");
    }
  }
}
