package io.weir.internal.store;

import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Keeps claims that take nothing as bytes, for stores that execute them later than they accept
 * them: the format, then whole numbers, seven bits a byte, the lowest first.
 *
 * <p>Leaves out the bucket, which their reader knows; {@link Claim#lostDebt}, which no store
 * counts; and {@link Claim#atLeast}, which changes only the answer.
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
   * Writes claims on one bucket, at least one.
   *
   * @throws IllegalArgumentException if one takes permits
   */
  public static byte[] toBytes(List<Claim> claims) {
    int giveBacks = claims.stream().mapToInt(each -> each.giveBacks().size()).sum();
    Writer writer = new Writer(NUMBERS * claims.size() + NUMBERS_OF_GIVE_BACK * giveBacks);
    for (Claim each : claims) {
      if (!canKeep(each)) {
        throw new IllegalArgumentException("a claim that is kept must take nothing, not " + each);
      }
      write(writer, each);
    }
    return writer.toBytes();
  }

  private static void write(Writer writer, Claim claim) {
    writer.put(claim.effectiveLimit());
    writer.put(claim.burst());
    writer.put(claim.debt());
    writer.put(claim.debtUntil());
    writer.put(claim.refusedAt());
    writer.put(claim.usedAtLeast());
    writer.put(claim.clearBefore());
    writer.put(claim.windowBegin());
    writer.put(claim.windowEnd());
    writer.put(claim.giveBacks().size());
    for (GiveBack each : claim.giveBacks()) {
      writer.put(Math.max(0, each.stamp())); // no grant has one below 1
      writer.put(each.permits());
      writer.put(each.spent());
    }
  }

  /**
   * Reads claims.
   *
   * @param bucket the one that they were made for
   * @return them, in order; unmodifiable
   * @throws BucketFormatException if the bytes are damaged, were written by a later version or for
   *     a bucket of another kind
   */
  public static List<Claim> fromBytes(BucketId bucket, byte[] bytes) {
    Reader reader = new Reader(bytes);
    List<Claim> claims = new ArrayList<>(1);
    try {
      do {
        claims.add(read(bucket, reader));
      } while (reader.hasMore());
    } catch (BucketFormatException named) {
      throw named;
    } catch (IllegalArgumentException impossible) {
      throw wrong(String.valueOf(impossible.getMessage()));
    }
    return Collections.unmodifiableList(claims);
  }

  private static Claim read(BucketId bucket, Reader reader) {
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
    return claim.giveBacks(giveBacks).build();
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

    boolean hasMore() {
      return at < bytes.length;
    }
  }
}
