package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.MessageDigest;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExactBucketIdTest {
  private static final int NUMBERS = 1 + 3 * Long.BYTES;

  private static byte[] name(int length, int last) {
    byte[] name = new byte[length];
    Arrays.fill(name, (byte) 'a');
    name[length - 1] = (byte) last;
    return name;
  }

  private static ExactBucketId steps(byte[] name) {
    return StepRefillRequest.builder(name, 2, 60_000).build().bucket();
  }

  private static ExactBucketId cells(byte[] name) {
    return new GcraRequest(name, 2, 3, 60, 1).bucket();
  }

  @Test
  void aNameOf128BytesIsKeptAsItIs() {
    byte[] name = name(ExactBucketId.LONGEST_NAME, 'z');
    byte[] kept = steps(name).encoded();
    assertArrayEquals(name, Arrays.copyOfRange(kept, NUMBERS, kept.length));
  }

  @Test
  void ofALongerNameItsSha256IsKept() throws Exception {
    byte[] name = name(64 * 1024, 'z');
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(name);
    for (byte[] kept : new byte[][] {steps(name).encoded(), cells(name).encoded()}) {
      assertArrayEquals(digest, Arrays.copyOfRange(kept, NUMBERS, kept.length));
    }
  }

  @Test
  void longNamesThatDifferInOneByteAreTwoBuckets() {
    assertEquals(steps(name(129, 'y')), steps(name(129, 'y')));
    assertEquals(0, cells(name(129, 'y')).compareTo(cells(name(129, 'y'))));
    assertNotEquals(steps(name(129, 'y')), steps(name(129, 'z')));
    assertNotEquals(0, cells(name(129, 'y')).compareTo(cells(name(129, 'z'))));
  }

  /** Otherwise a caller could name another caller's bucket by its digest. */
  @Test
  void theDigestOfALongNameIsTheNameOfAnotherBucket() throws Exception {
    byte[] name = name(129, 'z');
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(name);
    assertNotEquals(steps(name), steps(digest));
    assertTrue(steps(name).compareTo(steps(digest)) != 0);
    assertNotEquals(
        Arrays.toString(cells(name).encoded()), Arrays.toString(cells(digest).encoded()));
  }
}
