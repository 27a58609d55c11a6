package io.weir.internal.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.LeasingStore;
import java.net.URI;
import java.security.MessageDigest;
import java.security.MessageDigestSpi;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** In a cluster a bucket's name is needed for its partition and for its claims: hashed once. */
class HashOnceTest {
  /** An HMAC is a digest of a digest. */
  private static final int DIGESTS = 2;

  private static final AtomicInteger DIGESTED = new AtomicInteger();

  @Test
  void aBucketOfAClusterIsHashedOnce() {
    Provider counting = new CountingProvider();
    Security.insertProviderAt(counting, 1);
    try (LeasingStore store = cluster()) {
      BucketId bucket = new BucketId(BucketSpec.builder("policy").build(), Key.of("caller"));
      DIGESTED.set(0);
      store.partition(bucket);
      assertEquals(DIGESTS, DIGESTED.get());
      for (int flush = 0; flush < 3; flush++) {
        store.execute(List.of(Claim.of(bucket, 1, 10, 10)));
        store.partition(bucket);
      }
      assertEquals(DIGESTS, DIGESTED.get());
    } finally {
      Security.removeProvider(counting.getName());
    }
  }

  /** Nothing listens there; names are needed all the same. */
  private static LeasingStore cluster() {
    return (LeasingStore)
        new RedisProvider()
            .open(
                URI.create("redis-cluster://127.0.0.1:1"),
                name -> name.equals("weir.secret") ? "secret" : "",
                Ticker.system());
  }

  /** Counts the digests that are finished. */
  private static final class CountingProvider extends Provider {
    private static final long serialVersionUID = 1;

    CountingProvider() {
      super("counting", "1", "counts digests");
      put("MessageDigest.SHA-256", CountingDigest.class.getName());
    }
  }

  /** For the provider, which makes it by its name. */
  public static final class CountingDigest extends MessageDigestSpi implements Cloneable {
    private final MessageDigest real;

    /** A new one. */
    public CountingDigest() throws NoSuchAlgorithmException {
      this(
          MessageDigest.getInstance(
              "SHA-256", java.util.Objects.requireNonNull(Security.getProvider("SUN"))));
    }

    private CountingDigest(MessageDigest real) {
      this.real = real;
    }

    @Override
    protected void engineUpdate(byte input) {
      real.update(input);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
      real.update(input, offset, length);
    }

    @Override
    protected byte[] engineDigest() {
      DIGESTED.incrementAndGet();
      return real.digest();
    }

    @Override
    protected void engineReset() {
      real.reset();
    }

    @Override
    public Object clone() throws CloneNotSupportedException {
      return new CountingDigest((MessageDigest) real.clone());
    }
  }
}
