package io.weir.internal.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.weir.InvalidSettingException;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Verifies which JWTs are accepted, and the roles and users that they give. */
class JwtTest {
  private static final String ISSUER = "https://id.example.org";
  private static final String AUDIENCE = "weir";
  private static final Instant NOW = Instant.parse("2027-01-31T10:00:00Z");

  private static RSAKey rsa;
  private static RSAKey otherRsa;
  private static ECKey ec;

  private final AtomicInteger reads = new AtomicInteger();
  private final FakeTicker ticker = new FakeTicker(NOW);
  private volatile List<JWK> published;
  private JwtKeys keys;
  private JwtVerifier verifier;

  @BeforeAll
  static void makeKeys() throws JOSEException {
    rsa = new RSAKeyGenerator(2_048).keyID("rsa").generate();
    otherRsa = new RSAKeyGenerator(2_048).keyID("rsa").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
  }

  @BeforeEach
  void open() {
    published = List.of(rsa, ec);
    JwtKeySource source =
        () -> {
          reads.incrementAndGet();
          return new JWKSet(published).toPublicJWKSet().toString();
        };
    keys = new JwtKeys(source, ticker);
    keys.readFirst();
    verifier = new JwtVerifier(new JwtSettings(ISSUER, AUDIENCE, "", "realm.roles"), keys, ticker);
  }

  @AfterEach
  void close() {
    keys.close();
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience(List.of("another", AUDIENCE))
        .subject("alice")
        .expirationTime(Date.from(NOW.plusSeconds(300)));
  }

  private static String sign(
      JWTClaimsSet claims, JWSAlgorithm algorithm, String keyId, JWSSigner signer)
      throws JOSEException {
    SignedJWT jwt =
        new SignedJWT(
            new JWSHeader.Builder(algorithm).keyID(keyId).type(JOSEObjectType.JWT).build(), claims);
    jwt.sign(signer);
    return jwt.serialize();
  }

  private static String signed(JWTClaimsSet.Builder claims) throws JOSEException {
    return sign(claims.build(), JWSAlgorithm.RS256, "rsa", new RSASSASigner(rsa));
  }

  @Test
  void theSubjectIsTheUserAndTheClaimNamesRoles() throws JOSEException {
    Authentication who =
        verifier
            .verify(
                signed(claims().claim("realm", Map.of("roles", List.of("weir-admin", "other", 7)))))
            .orElseThrow();
    assertEquals(new Identity(Set.of(Role.USER, Role.ADMIN), Optional.of("alice")), who.identity());
    assertEquals(Optional.of(NOW.plusSeconds(300)), who.validUntil());

    Authentication user = verifier.verify(signed(claims())).orElseThrow();
    assertEquals(Set.of(Role.USER), user.identity().roles());
    Authentication viewer =
        verifier.verify(signed(claims().claim("realm.roles", "weir-view"))).orElseThrow();
    assertEquals(Set.of(Role.USER, Role.VIEW), viewer.identity().roles());
    assertTrue(viewer.identity().may(Role.VIEW));
    assertFalse(viewer.identity().may(Role.CHECK));
    assertTrue(who.identity().may(Role.VIEW));
    JWTClaimsSet flat = claims().claim("realm.roles", "weir-check weir-metrics").build();
    String byCurve = sign(flat, JWSAlgorithm.ES256, "ec", new ECDSASigner(ec));
    assertEquals(
        Set.of(Role.USER, Role.CHECK, Role.METRICS),
        verifier.verify(byCurve).orElseThrow().identity().roles());
  }

  @Test
  void whatTheIssuerHasNotSignedForUsDoesNotLetIn() throws JOSEException {
    byte[] publicKey = rsa.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8);
    String good = signed(claims());
    int dot = good.lastIndexOf('.');
    List<String> wrong =
        List.of(
            new PlainJWT(claims().build()).serialize(),
            sign(claims().build(), JWSAlgorithm.HS256, "rsa", new MACSigner(publicKey)),
            sign(claims().build(), JWSAlgorithm.RS512, "rsa", new RSASSASigner(rsa)),
            sign(claims().build(), JWSAlgorithm.RS256, "rsa", new RSASSASigner(otherRsa)),
            sign(claims().build(), JWSAlgorithm.RS256, "ec", new RSASSASigner(rsa)),
            sign(claims().build(), JWSAlgorithm.ES256, "rsa", new ECDSASigner(ec)),
            sign(claims().build(), JWSAlgorithm.RS256, null, new RSASSASigner(rsa)),
            signed(claims().expirationTime(null)),
            signed(claims().expirationTime(Date.from(NOW.minusSeconds(61)))),
            signed(claims().notBeforeTime(Date.from(NOW.plusSeconds(61)))),
            signed(claims().audience("another")),
            signed(claims().audience((String) null)),
            signed(claims().issuer("https://evil.example")),
            signed(claims().issuer(null)),
            signed(claims().subject(null)),
            signed(claims().subject(" ")),
            signed(claims().subject("a".repeat(501))),
            signed(claims().subject("*")),
            signed(claims().subject("ip:192.0.2.1")),
            signed(claims().subject("sha256:00")),
            signed(claims().subject("a\u0000")),
            signed(claims().claim("large", "x".repeat(8_000))),
            good.substring(0, dot + 1),
            good.substring(0, dot) + ".AAAA",
            good + ".",
            "eyJhbGciOiJub25lIn0.e30.",
            "..",
            "");
    for (String each : wrong) {
      assertEquals(Optional.empty(), verifier.verify(each), each);
    }
    assertTrue(verifier.verify(good).isPresent());
  }

  @Test
  void aTokenHasOneSpelling() throws JOSEException {
    String good = signed(claims());
    assertTrue(verifier.verify(good).isPresent());
    String letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    String last = good.substring(good.length() - 1);
    String start = good.substring(0, good.length() - 1);
    for (String other : letters.split("")) {
      assertEquals(other.equals(last), verifier.verify(start + other).isPresent(), other);
    }
    int dot = good.lastIndexOf('.');
    for (String illegal : List.of("=", "==", "+", "/", "!", " ", "\n", "\u00e9")) {
      assertEquals(Optional.empty(), verifier.verify(good + illegal), illegal);
      assertEquals(
          Optional.empty(),
          verifier.verify(good.substring(0, dot + 9) + illegal + good.substring(dot + 9)),
          illegal);
    }
  }

  @Test
  void anotherSignedObjectOfTheIssuerIsNoToken() throws JOSEException {
    for (JOSEObjectType type :
        new JOSEObjectType[] {
          null,
          JOSEObjectType.JWT,
          new JOSEObjectType("AT+JWT"),
          new JOSEObjectType("application/at+jwt")
        }) {
      assertTrue(verifier.verify(withHeader(header().type(type))).isPresent());
    }
    for (String type : List.of("logout+jwt", "secevent+jwt", "dpop+jwt", "JOSE")) {
      assertEquals(
          Optional.empty(),
          verifier.verify(withHeader(header().type(new JOSEObjectType(type)))),
          type);
    }
    assertEquals(Optional.empty(), verifier.verify(withHeader(header().customParam("zip", "DEF"))));
    String signOut = "http://schemas.openid.net/event/backchannel-logout";
    assertEquals(
        Optional.empty(),
        verifier.verify(signed(claims().claim("events", Map.of(signOut, Map.of())))));
  }

  @Test
  void theSubjectMustBeAUsersName() throws JOSEException {
    assertTrue(verifier.verify(withSubject("b\\ud83d\\ude00")).isPresent());
    for (String written : List.of("a\\ud800", "\\udc00a", "a\\u0000", "\\u0020", "", "*")) {
      assertEquals(Optional.empty(), verifier.verify(withSubject(written)), written);
    }
  }

  private static String withSubject(String written) throws JOSEException {
    String payload =
        claims().subject("?").build().toPayload().toString().replace("\"?\"", '"' + written + '"');
    JWSObject jwt = new JWSObject(header().build(), new Payload(payload));
    jwt.sign(new RSASSASigner(rsa));
    return jwt.serialize();
  }

  private static JWSHeader.Builder header() {
    return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa");
  }

  private static String withHeader(JWSHeader.Builder header) throws JOSEException {
    SignedJWT jwt = new SignedJWT(header.build(), claims().build());
    jwt.sign(new RSASSASigner(rsa));
    return jwt.serialize();
  }

  @Test
  void keysThatAreForSomethingElseVerifyNothing() throws Exception {
    String jwt = signed(claims());
    for (RSAKey key :
        List.of(
            new RSAKey.Builder(rsa).keyUse(KeyUse.ENCRYPTION).build(),
            new RSAKey.Builder(rsa).keyOperations(Set.of(KeyOperation.ENCRYPT)).build(),
            new RSAKey.Builder(rsa).algorithm(JWSAlgorithm.RS512).build())) {
      published = List.of(key);
      keys.readFirst();
      assertEquals(Optional.empty(), verifier.verify(jwt), () -> key.toPublicJWK().toString());
    }
    published =
        List.of(
            new RSAKey.Builder(rsa)
                .keyUse(KeyUse.SIGNATURE)
                .keyOperations(Set.of(KeyOperation.VERIFY))
                .build());
    keys.readFirst();
    assertTrue(verifier.verify(jwt).isPresent());
  }

  @Test
  void rolesAreNamedAsDocumented() throws JOSEException {
    Authentication caller =
        verifier
            .verify(signed(claims().claim("realm.roles", "Weir-Admin WEIR-CHECK weir-view")))
            .orElseThrow();
    assertEquals(Set.of(Role.USER, Role.VIEW), caller.identity().roles());
  }

  @Test
  void clocksMayDifferByAMinute() throws JOSEException {
    assertTrue(
        verifier
            .verify(signed(claims().expirationTime(Date.from(NOW.minusSeconds(59)))))
            .isPresent());
    assertTrue(
        verifier
            .verify(signed(claims().notBeforeTime(Date.from(NOW.plusSeconds(59)))))
            .isPresent());
  }

  @Test
  void whatWasVerifiedEndsAllTheSame() throws JOSEException {
    String jwt = signed(claims());
    assertTrue(verifier.verify(jwt).isPresent());
    ticker.advance(Duration.ofSeconds(361));
    assertEquals(Optional.empty(), verifier.verify(jwt));
  }

  @Test
  void anUnknownKeyHasTheKeysReadAtMostOnceAMinute() throws Exception {
    String jwt = sign(claims().build(), JWSAlgorithm.RS256, "new", new RSASSASigner(rsa));
    for (int i = 0; i < 100; i++) {
      assertEquals(Optional.empty(), verifier.verify(jwt));
    }
    assertEquals(1, reads.get(), "read at the start, less than a minute ago");

    published = List.of(new RSAKey.Builder(rsa).keyID("new").build());
    ticker.advance(Duration.ofSeconds(61));
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (verifier.verify(jwt).isEmpty()) {
      assertTrue(System.nanoTime() < end, "the new key is never known");
      Thread.onSpinWait();
    }
    assertEquals(2, reads.get());
    assertEquals(Optional.empty(), verifier.verify(signed(claims())), "that key is gone");
  }

  @Test
  void keysThatCanNotBeReadLeaveTheOldOnes() throws Exception {
    JwtKeySource broken =
        () -> {
          if (reads.incrementAndGet() > 2) {
            throw new IOException("away");
          }
          return new JWKSet(published).toPublicJWKSet().toString();
        };
    try (JwtKeys some = new JwtKeys(broken, ticker)) {
      some.readFirst();
      some.readFirst();
      assertTrue(some.find("rsa").isPresent());
    }
  }

  @Test
  void aJwtMayBeValidUntilKeysHaveBeenRead() throws Exception {
    String valid = signed(claims());
    JwtKeySource late =
        () -> {
          if (reads.incrementAndGet() < 2) {
            throw new IOException("away");
          }
          return new JWKSet(published).toPublicJWKSet().toString();
        };
    reads.set(0);
    JwtKeys some = new JwtKeys(late, ticker);
    some.readFirst();
    try (JwtVerifier waiting =
        new JwtVerifier(new JwtSettings(ISSUER, AUDIENCE, "", "realm.roles"), some, ticker)) {
      assertTrue(waiting.mayBeUnread(valid));
      assertFalse(waiting.mayBeUnread("weir_x"), "it isn't a JWT");
      some.readFirst();
      assertFalse(waiting.mayBeUnread(valid));
      assertTrue(waiting.verify(valid).isPresent());
    }
  }

  @Test
  void settingsAreGivenTogether() {
    Map<String, String> some = Map.of("weir.server.jwt.issuer", ISSUER);
    assertThrows(
        InvalidSettingException.class, () -> JwtSettings.read(name -> some.getOrDefault(name, "")));
    assertEquals(Optional.empty(), JwtSettings.read(name -> ""));
    assertThrows(
        InvalidSettingException.class, () -> JwtKeySourceFactory.of("http://id.example.org/keys"));
  }

  @Test
  void keysThatDoNotComeWholeKeepNobodyWaiting() throws Exception {
    byte[] stalled =
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(StandardCharsets.UTF_8);
    byte[] endless =
        ("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + "x".repeat(300_000))
            .getBytes(StandardCharsets.UTF_8);
    for (byte[] answer : List.of(stalled, endless)) {
      try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
        JwtKeySource source =
            JwtKeySourceFactory.of(
                "http://127.0.0.1:" + server.getLocalPort(), Duration.ofMillis(500));
        Thread thread =
            new Thread(
                () -> {
                  try (Socket connection = server.accept()) {
                    connection.getOutputStream().write(answer);
                    connection.getInputStream().readAllBytes(); // until the other side gives up
                  } catch (IOException closed) {
                    // so it has
                  }
                });
        thread.start();
        assertTimeoutPreemptively(
            Duration.ofSeconds(30), () -> assertThrows(IOException.class, source::read));
        thread.join(30_000);
        assertFalse(thread.isAlive(), "the connection is closed");
      }
    }
  }
}
