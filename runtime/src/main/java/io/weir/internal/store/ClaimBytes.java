package io.weir.internal.store;

import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Keeps claims that take nothing as bytes, for stores that execute one later than they accept it:
 * the format, then whole numbers, seven bits a byte, the lowest first.
 *
 * <p>Leaves out the bucket, which its reader knows; {@link Claim#lostDebt}, which no store counts;
 * and {@link Claim#atLeast}, which changes only the answer.
 */
public final class ClaimBytes {
  private static final byte FORMAT = 1;
  private static final int MORE = 0x80;
  private static final int BITS = 7;

  /** The bytes of the longest number. */
  private static final int LONGEST = 9;

  /** The numbers of a claim, and those of each of its give-backs. */
  private static final int NUMBERS = 10;

  private static final int NUMBERS_OF_GIVE_BACK = 3;

  private ClaimBytes() {}

  /**
   * Returns whether bytes can be made of a claim: it takes no permits, so that its answer may be
   * one of which nothing is spent.
   */
  public static boolean canKeep(Claim claim) {
    return claim.needed() == 0 && claim.extra() == 0 && claim.far() == 0;
  }

  /**
   * Writes a claim.
   *
   * @throws IllegalArgumentException if it takes permits
   */
  public static byte[] toBytes(Claim claim) {
    if (!canKeep(claim)) {
      throw new IllegalArgumentException("a claim that is kept must take nothing, not " + claim);
    }
    List<GiveBack> giveBacks = claim.giveBacks();
    Writer writer = new Writer(NUMBERS + NUMBERS_OF_GIVE_BACK * giveBacks.size());
    writer.put(claim.effectiveLimit());
    writer.put(claim.burst());
    writer.put(claim.debt());
    writer.put(claim.debtUntil());
    writer.put(claim.refusedAt());
    writer.put(claim.usedAtLeast());
    writer.put(claim.clearBefore());
    writer.put(claim.windowBegin());
    writer.put(claim.windowEnd());
    writer.put(giveBacks.size());
    for (GiveBack each : giveBacks) {
      writer.put(Math.max(0, each.stamp())); // no grant has one below 1
      writer.put(each.permits());
      writer.put(each.spent());
    }
    return writer.toBytes();
  }

  /**
   * Reads a claim.
   *
   * @param bucket the one that it was made for
   * @throws BucketFormatException if the bytes are damaged, were written by a later version or for
   *     a bucket of another kind
   */
  public static Claim fromBytes(BucketId bucket, byte[] bytes) {
    Reader reader = new Reader(bytes);
    try {
      Claim.Builder claim =
          Claim.builder(bucket, reader.next(), reader.next())
              .debt(reader.next())
              .debtUntil(reader.next())
              .refusedAt(reader.next())
              .usedAtLeast(reader.next())
              .clearBefore(reader.next())
              .window(reader.next(), reader.next());
      List<GiveBack> giveBacks = new ArrayList<>();
      for (long left = reader.next(); left > 0; left--) {
        giveBacks.add(new GiveBack(reader.next(), reader.next(), reader.next()));
      }
      reader.end();
      return claim.giveBacks(giveBacks).build();
    } catch (BucketFormatException named) {
      throw named;
    } catch (IllegalArgumentException impossible) {
      throw wrong(String.valueOf(impossible.getMessage()));
    }
  }

  private static BucketFormatException wrong(String rule) {
    return new BucketFormatException("the bytes of a claim can't be read: " + rule);
  }

  private static final class Writer {
    private final byte[] bytes;
    private int length;

    Writer(int numbers) {
      bytes = new byte[1 + numbers * LONGEST];
      bytes[length++] = FORMAT;
    }

    /** Writes a number that isn't negative. */
    void put(long number) {
      long rest = number;
      while (rest >= MORE) {
        bytes[length++] = (byte) (rest & MORE - 1 | MORE);
        rest >>>= BITS;
      }
      bytes[length++] = (byte) rest;
    }

    byte[] toBytes() {
      return Arrays.copyOf(bytes, length);
    }
  }

  private static final class Reader {
    private final byte[] bytes;
    private int at;

    Reader(byte[] bytes) {
      this.bytes = bytes;
      if (bytes.length == 0 || bytes[at++] != FORMAT) {
        throw wrong("they must begin with format " + FORMAT);
      }
    }

    long next() {
      long number = 0;
      for (int shift = 0; shift < BITS * LONGEST; shift += BITS) {
        if (at == bytes.length) {
          throw wrong("they end too early");
        }
        byte next = bytes[at++];
        number |= (long) (next & MORE - 1) << shift;
        if (next >= 0) {
          return number;
        }
      }
      throw wrong("a number must have at most 63 bits");
    }

    void end() {
      if (at < bytes.length) {
        throw wrong((bytes.length - at) + " bytes are left over");
      }
    }
  }
}
