package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A certificate by two PEM files, as the settings name them. */
class TlsTest {
  private static final char[] PASSWORD = "password".toCharArray();

  @TempDir private static Path folder;

  private static KeyStore store;

  @BeforeAll
  static void makeCertificate() throws Exception {
    Path file = folder.resolve("store.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command =
        List.of(
            keytool.toString(),
            "-genkeypair",
            "-keystore",
            file.toString(),
            "-storetype",
            "PKCS12",
            "-storepass",
            new String(PASSWORD),
            "-alias",
            "weir",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=IP:127.0.0.1",
            "-validity",
            "2");
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    write("tls.crt", "CERTIFICATE", store.getCertificate("weir").getEncoded());
    write("tls.key", "PRIVATE KEY", store.getKey("weir", PASSWORD).getEncoded());
  }

  private static void write(String name, String label, byte[] bytes) throws IOException {
    Files.writeString(
        folder.resolve(name),
        "-----BEGIN "
            + label
            + "-----\n"
            + Base64.getMimeEncoder().encodeToString(bytes)
            + "\n-----END "
            + label
            + "-----\n");
  }

  private static Map<String, String> settings(String key) {
    return Map.of(
        "weir.server.tls.certificate",
        folder.resolve("tls.crt").toString(),
        "weir.server.tls.key",
        folder.resolve(key).toString());
  }

  private static SSLContext trusting() throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("weir", store.getCertificate("weir"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  @Test
  void httpIsEncryptedAndTheCookieSecure() throws Exception {
    try (RunningServer server = new RunningServer(settings("tls.key"))) {
      assertTrue(server.url().startsWith("https://"), server.url());
      HttpResponse<String> response =
          HttpClient.newBuilder()
              .sslContext(trusting())
              .build()
              .send(
                  HttpRequest.newBuilder(URI.create(server.url() + "/v1/session"))
                      .header("Authorization", "Bearer " + server.admin())
                      .POST(HttpRequest.BodyPublishers.noBody())
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertEquals(204, response.statusCode());
      assertTrue(response.headers().firstValue("Set-Cookie").orElseThrow().endsWith("; Secure"));
    }
  }

  @Test
  void whatIsNoKeyIsRefusedByName() throws IOException {
    Files.writeString(folder.resolve("wrong.key"), "-----BEGIN RSA PRIVATE KEY-----\n");
    RuntimeException failure =
        assertThrows(
            RuntimeException.class, () -> new RunningServer(settings("wrong.key")).close());
    assertTrue(failure.getMessage().contains("weir.server.tls.key"), failure.getMessage());
  }
}
