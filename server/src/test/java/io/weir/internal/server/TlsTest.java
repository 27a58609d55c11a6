package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.weir.compat.redis.Certificate;
import io.weir.grpc.v1.CheckRequest;
import io.weir.grpc.v1.RateLimitServiceGrpc;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Tests TLS by the PEM files that the settings name, with real clients of all protocols. */
class TlsTest {
  @TempDir private static Path folder;

  private static Certificate certificate;
  private static RunningServer server;

  @BeforeAll
  static void start() {
    certificate = Certificate.make(folder, "ip:127.0.0.1");
    server = new RunningServer(settings("key.pem"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Map<String, String> settings(String key) {
    return Map.of(
        "weir.server.listeners",
        "http,grpc,redis",
        "weir.server.tls.certificate",
        folder.resolve("cert.pem").toString(),
        "weir.server.tls.key",
        folder.resolve(key).toString());
  }

  private static SSLContext trusting() throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(certificate.trustStore())) {
      trusted.load(in, Certificate.PASSWORD.toCharArray());
    }
    KeyStore onlyIt = KeyStore.getInstance("PKCS12");
    onlyIt.load(null, null);
    onlyIt.setCertificateEntry("it", trusted.getCertificate(trusted.aliases().nextElement()));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(onlyIt);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static HttpRequest signIn() {
    return HttpRequest.newBuilder(URI.create(server.url() + "/v1/session"))
        .header("Authorization", "Bearer " + server.admin())
        .POST(HttpRequest.BodyPublishers.noBody())
        .build();
  }

  @Test
  void httpIsEncryptedAndTheCookieSecure() throws Exception {
    assertTrue(server.url().startsWith("https://"), server.url());
    HttpResponse<String> response =
        HttpClient.newBuilder()
            .sslContext(trusting())
            .build()
            .send(signIn(), HttpResponse.BodyHandlers.ofString());
    assertEquals(204, response.statusCode());
    assertTrue(response.headers().firstValue("Set-Cookie").orElseThrow().endsWith("; Secure"));
    assertThrows(
        SSLHandshakeException.class,
        () -> HttpClient.newHttpClient().send(signIn(), HttpResponse.BodyHandlers.ofString()),
        "who doesn't trust it doesn't talk to it");
  }

  private static Jedis jedis(boolean isEncrypted) {
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder().password(server.admin()).socketTimeoutMillis(60_000);
    if (isEncrypted) {
      config.sslOptions(
          SslOptions.builder()
              .truststore(certificate.trustStore().toFile(), Certificate.PASSWORD.toCharArray())
              .build());
    }
    return new Jedis(
        HostAndPort.from(server.service().listeners().get(2).address()), config.build());
  }

  @Test
  void theRedisProtocolIsEncrypted() throws Exception {
    try (Jedis client = jedis(true)) {
      assertEquals("PONG", client.ping());
      Object answer =
          client.sendCommand(
              () -> "WEIR.CHECK".getBytes(StandardCharsets.US_ASCII), "alice", "/api/posts");
      assertEquals(1L, ((List<?>) answer).get(0));
    }
    assertThrows(JedisConnectionException.class, () -> jedis(false).ping(), "plain text");
  }

  @Test
  void gRpcIsEncrypted() throws Exception {
    String address = server.service().listeners().get(1).address();
    ManagedChannel trusting =
        NettyChannelBuilder.forTarget(address)
            .sslContext(
                GrpcSslContexts.forClient()
                    .trustManager(folder.resolve("cert.pem").toFile())
                    .build())
            .build();
    ManagedChannel plain = NettyChannelBuilder.forTarget(address).usePlaintext().build();
    try {
      CheckRequest request =
          CheckRequest.newBuilder().setUserId("alice").setEndpoint("/api/posts").build();
      assertTrue(checks(trusting).check(request).getAllowed());
      Status refused =
          assertThrows(
                  StatusRuntimeException.class,
                  () -> checks(plain).check(CheckRequest.getDefaultInstance()))
              .getStatus();
      assertEquals(Status.Code.UNAVAILABLE, refused.getCode());
    } finally {
      trusting.shutdownNow();
      plain.shutdownNow();
    }
  }

  private static RateLimitServiceGrpc.RateLimitServiceBlockingStub checks(ManagedChannel channel) {
    Metadata token = new Metadata();
    token.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + server.admin());
    return RateLimitServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token))
        .withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  private static void assertRefused(String expected, String key) {
    RuntimeException failure =
        assertThrows(RuntimeException.class, () -> new RunningServer(settings(key)).close());
    assertTrue(failure.getMessage().contains(expected), failure.getMessage());
  }

  @Test
  void whatIsNoKeyIsRefusedByName() throws IOException {
    Files.writeString(folder.resolve("wrong.key"), "-----BEGIN RSA PRIVATE KEY-----\n");
    assertRefused("weir.server.tls.key must be PKCS #8", "wrong.key");
    Files.writeString(
        folder.resolve("wrong.key"),
        "-----BEGIN PRIVATE KEY-----\n****\n-----END PRIVATE KEY-----\n");
    assertRefused("weir.server.tls.key", "wrong.key");
  }

  @Test
  void theKeyOfAnotherCertificateIsRefused() throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Certificate.make(elsewhere, "ip:127.0.0.1");
    assertRefused("doesn't belong to weir.server.tls.certificate", "elsewhere/key.pem");
  }
}
