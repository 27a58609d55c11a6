package io.weir.internal.server.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.weir.internal.control.access.Callers;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Optional;

/**
 * Lets in whoever bears a JWT of the issuer: signed by RS256 or ES256 with one of its keys, for
 * this audience, with an end that isn't over. Clocks may differ by 60 seconds.
 *
 * <p>What was verified is kept until its end, so that a client that sends one JWT with each request
 * pays for the arithmetic once. Safe for concurrent use.
 */
public final class JwtVerifier {
  private static final Duration SKEW = Duration.ofSeconds(60);
  private static final int MOST_CHARACTERS = 8_192;
  private static final int MOST_KEPT = 10_000;
  private static final int LONGEST_SUBJECT = 500;
  private static final int LEAST_RSA_BITS = 2_048;

  private final JwtSettings settings;
  private final JwtKeys keys;
  private final InstantSource clock;
  private final Cache<String, Verified> verified =
      Caffeine.newBuilder().maximumSize(MOST_KEPT).executor(Runnable::run).build();

  private record Verified(Authentication who, Instant end, long generation) {}

  /**
   * Verifies JWTs.
   *
   * @param settings which let in
   * @param keys those of the issuer
   * @param clock says what is over
   */
  public JwtVerifier(JwtSettings settings, JwtKeys keys, InstantSource clock) {
    this.settings = settings;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Who bears a JWT.
   *
   * @param text what a client sent; anything
   * @return nothing if it doesn't let in, for whatever reason
   */
  public Optional<Authentication> verify(String text) {
    if (text.length() > MOST_CHARACTERS || !hasThreeParts(text)) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    Verified known = verified.getIfPresent(text);
    if (known != null && known.generation() == keys.generation()) {
      return now.isBefore(known.end()) ? Optional.of(known.who()) : Optional.empty();
    }
    long generation = keys.generation();
    try {
      SignedJWT jwt = SignedJWT.parse(text);
      if (!isSigned(jwt)) {
        return Optional.empty();
      }
      JWTClaimsSet claims = jwt.getJWTClaimsSet();
      if (!isForUs(claims, now)) {
        return Optional.empty();
      }
      Authentication who = JwtClaims.read(claims, settings);
      Instant end = claims.getExpirationTime().toInstant().plus(SKEW);
      verified.put(text, new Verified(who, end, generation));
      return Optional.of(who);
    } catch (ParseException | JOSEException | RuntimeException malformed) {
      return Optional.empty();
    }
  }

  private static boolean hasThreeParts(String text) {
    int first = text.indexOf('.');
    int second = text.indexOf('.', first + 1);
    return first > 0 && second > first + 1 && text.indexOf('.', second + 1) < 0;
  }

  /** The key says which algorithm it is for, never the token alone. */
  private boolean isSigned(SignedJWT jwt) throws JOSEException {
    JWSAlgorithm algorithm = jwt.getHeader().getAlgorithm();
    boolean isRsa = JWSAlgorithm.RS256.equals(algorithm);
    if (!isRsa && !JWSAlgorithm.ES256.equals(algorithm)) {
      return false;
    }
    JWK key = keys.find(jwt.getHeader().getKeyID()).orElse(null);
    if (key == null || key.getAlgorithm() != null && !key.getAlgorithm().equals(algorithm)) {
      return false;
    }
    JWSVerifier verifier;
    if (isRsa && key instanceof RSAKey rsa && rsa.size() >= LEAST_RSA_BITS) {
      verifier = new RSASSAVerifier(rsa);
    } else if (!isRsa && key instanceof ECKey ec && Curve.P_256.equals(ec.getCurve())) {
      verifier = new ECDSAVerifier(ec);
    } else {
      return false;
    }
    return jwt.verify(verifier);
  }

  private boolean isForUs(JWTClaimsSet claims, Instant now) {
    Date end = claims.getExpirationTime();
    Date begin = claims.getNotBeforeTime();
    String subject = claims.getSubject();
    return settings.issuer().equals(claims.getIssuer())
        && claims.getAudience().contains(settings.audience())
        && end != null
        && now.isBefore(end.toInstant().plus(SKEW))
        && (begin == null || !now.isBefore(begin.toInstant().minus(SKEW)))
        && subject != null
        && !subject.isBlank()
        && Callers.isUser(subject)
        && subject.length() <= LONGEST_SUBJECT;
  }
}
