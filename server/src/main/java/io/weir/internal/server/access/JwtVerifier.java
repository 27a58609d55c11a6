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
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.weir.Ticker;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.rules.database.Sha256Digest;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;

/**
 * Verifies JWTs of the issuer: signed by RS256 or ES256 with one of its keys, for this audience,
 * and not expired. Clocks may differ by 60 seconds.
 *
 * <p>A verified JWT is cached by its digest until it expires, so that the signature of a JWT that
 * comes with each request is verified once. The cache has 8 MiB. Safe for concurrent use.
 */
public final class JwtVerifier implements AutoCloseable {
  private static final Duration SKEW = Duration.ofSeconds(60);
  private static final int MAX_CHARACTERS = 8_192;
  private static final int MAX_CACHED_BYTES = 8 * 1024 * 1024;

  /** The digest, the identity and the entry of a cached JWT, without its subject. */
  private static final int ENTRY_BYTES = 400;

  private static final int MIN_RSA_BITS = 2_048;

  private final JwtSettings settings;
  private final JwtKeys keys;
  private final Ticker ticker;
  private final Cache<String, Verified> verified =
      Caffeine.newBuilder()
          .maximumWeight(MAX_CACHED_BYTES)
          .weigher(JwtVerifier::bytes)
          .executor(Runnable::run)
          .build();

  private record Verified(Authentication caller, Instant end, long generation) {}

  /** Creates a verifier, which closes the keys. */
  JwtVerifier(JwtSettings settings, JwtKeys keys, Ticker ticker) {
    this.settings = settings;
    this.keys = keys;
    this.ticker = ticker;
  }

  /**
   * Reads the keys, and creates a verifier that follows them until it is closed.
   *
   * @throws io.weir.InvalidSettingException if the settings can't be used
   */
  public static JwtVerifier open(JwtSettings settings, Ticker ticker) {
    JwtKeys keys = new JwtKeys(JwtKeySourceFactory.of(settings.keys()), ticker);
    keys.readFirst();
    return new JwtVerifier(settings, keys, ticker);
  }

  /** Verifies a JWT; empty if it isn't accepted, for whatever reason. */
  public Optional<Authentication> verify(String text) {
    if (text.length() > MAX_CHARACTERS || !JwtSyntax.isCompact(text)) {
      return Optional.empty();
    }
    Instant now = ticker.instant();
    String digest = Sha256Digest.of(text);
    Verified known = verified.getIfPresent(digest);
    if (known != null && known.generation() == keys.generation()) {
      return now.isBefore(known.end()) ? Optional.of(known.caller()) : Optional.empty();
    }
    long generation = keys.generation();
    try {
      SignedJWT jwt = SignedJWT.parse(text);
      if (!JwtSyntax.isOfJwt(jwt.getHeader()) || !isSigned(jwt)) {
        return Optional.empty();
      }
      JWTClaimsSet claims = jwt.getJWTClaimsSet();
      if (JwtSyntax.isOfEvent(claims) || !isForUs(claims, now)) {
        return Optional.empty();
      }
      Authentication caller = JwtClaims.read(claims, settings);
      Instant end = claims.getExpirationTime().toInstant().plus(SKEW);
      verified.put(digest, new Verified(caller, end, generation));
      return Optional.of(caller);
    } catch (ParseException | JOSEException | RuntimeException malformed) {
      return Optional.empty();
    }
  }

  /**
   * Returns whether a JWT that isn't accepted may be valid all the same, since the keys of the
   * issuer haven't been read since the start. Must be called before it is verified.
   *
   * @return false once keys have been read, and for a text that isn't a JWT
   */
  boolean mayBeUnread(String text) {
    return !keys.areRead() && text.length() <= MAX_CHARACTERS && JwtSyntax.isCompact(text);
  }

  /** Estimates what a cached JWT occupies; its subject stands in it up to three times. */
  private static int bytes(String digest, Verified cached) {
    return ENTRY_BYTES + 6 * cached.caller().name().length();
  }

  /** Verifies with the algorithm that the key is for; the token alone never chooses it. */
  private boolean isSigned(SignedJWT jwt) throws JOSEException {
    JWSAlgorithm algorithm = jwt.getHeader().getAlgorithm();
    boolean isRsa = JWSAlgorithm.RS256.equals(algorithm);
    if (!isRsa && !JWSAlgorithm.ES256.equals(algorithm)) {
      return false;
    }
    JWK key = keys.find(jwt.getHeader().getKeyID()).orElse(null);
    if (key == null || !isFor(key, algorithm)) {
      return false;
    }
    JWSVerifier verifier;
    if (isRsa && key instanceof RSAKey rsa && rsa.size() >= MIN_RSA_BITS) {
      verifier = new RSASSAVerifier(rsa);
    } else if (!isRsa && key instanceof ECKey ec && Curve.P_256.equals(ec.getCurve())) {
      verifier = new ECDSAVerifier(ec);
    } else {
      return false;
    }
    return jwt.verify(verifier);
  }

  private static boolean isFor(JWK key, JWSAlgorithm algorithm) {
    return (key.getAlgorithm() == null || key.getAlgorithm().equals(algorithm))
        && (key.getKeyUse() == null || KeyUse.SIGNATURE.equals(key.getKeyUse()))
        && (key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY));
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
        && CallerName.isUser(subject);
  }

  /** Stops following the keys. Idempotent. */
  @Override
  public void close() {
    keys.close();
  }
}
