package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;

class JournalTest {
  private static final int BYTES = 1 << 14; // 255 records each
  private static final int RECORDS = (BYTES - ChecksummedFileHeader.BYTES) / JournalSegment.RECORD;
  private static final String FIRST = "exact-1.journal";
  private static final String SECOND = "exact-2.journal";

  @TempDir private Path home;

  private static byte[] key(int number) {
    byte[] key = new byte[BucketKeyEncoder.LENGTH];
    key[0] = (byte) (number >> 8);
    key[1] = (byte) number;
    return key;
  }

  private Journal begun() throws IOException {
    return Journal.create(home, BYTES, DiskSync.SYSTEM);
  }

  private static boolean append(Journal journal, int number) {
    return journal.append(key(number), 1_000L * number, new byte[] {(byte) number, 7});
  }

  /** The records of a journal opened as after a kill, each by the number of its key. */
  private List<Integer> read() throws Exception {
    List<Integer> numbers = new ArrayList<>();
    readInto(numbers);
    return numbers;
  }

  private int readInto(List<Integer> numbers) throws Exception {
    return Journal.open(home, DiskSync.SYSTEM)
        .read(
            (key, expiresAt, state) -> {
              int number = (key[0] & 0xFF) << 8 | key[1] & 0xFF;
              assertEquals(1_000L * number, expiresAt);
              assertTrue(Arrays.equals(new byte[] {(byte) number, 7}, state));
              numbers.add(number);
            });
  }

  /** The offset of a record. */
  private static int at(int record) {
    return ChecksummedFileHeader.BYTES + record * JournalSegment.RECORD;
  }

  /** The bytes of a file, changed in place. */
  private void write(String file, int at, byte... bytes) throws IOException {
    Path path = home.resolve(file);
    byte[] all = Files.readAllBytes(path);
    System.arraycopy(bytes, 0, all, at, bytes.length);
    Files.write(path, all);
  }

  /** Turns as the writing thread does when all is in the database. */
  private static void turn(Journal journal) {
    assertTrue(journal.turn());
    assertFalse(journal.turn(), "the other file wasn't prepared");
    journal.prepare();
  }

  @Test
  void whatWasAppendedIsReadInItsOrder() throws Exception {
    Journal journal = begun();
    for (int i = 0; i < 10; i++) {
      assertFalse(append(journal, i));
    }
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), read());
  }

  @Test
  void bothFilesAreReadTheLaterOneLast() throws Exception {
    Journal journal = begun();
    append(journal, 1);
    assertTrue(journal.turn());
    append(journal, 2);
    assertEquals(List.of(1, 2), read());
    journal.prepare(); // what was in the first one isn't needed any more
    assertEquals(List.of(2), read());
    assertTrue(journal.turn());
    append(journal, 3);
    assertEquals(List.of(2, 3), read());
  }

  @Test
  void recordsOfAnEarlierUseAreNeverRead() throws Exception {
    Journal journal = begun();
    for (int i = 0; i < 20; i++) {
      append(journal, i);
    }
    turn(journal);
    turn(journal);
    append(journal, 99);
    assertEquals(List.of(99), read());
    journal.begin();
    assertEquals(List.of(), read());
  }

  @Test
  void saysOnceThatItFillsAndRefusesWhatHasNoRoom() throws Exception {
    Journal journal = begun();
    int told = 0;
    for (int i = 0; i < RECORDS; i++) {
      assertEquals(i >= RECORDS - RECORDS / 2, journal.isFilling(), "after " + i);
      told += append(journal, i) ? 1 : 0;
    }
    assertEquals(1, told);
    assertFalse(journal.hasRoom());
    assertThrows(IllegalStateException.class, () -> append(journal, 0));
    assertTrue(journal.turn());
    assertTrue(journal.hasRoom());
    append(journal, 0);
  }

  @Test
  void aClosedOneTakesNothing() throws Exception {
    Journal journal = begun();
    append(journal, 1);
    journal.close();
    assertFalse(journal.hasRoom());
    assertThrows(IllegalStateException.class, () -> append(journal, 2));
    assertEquals(List.of(1), read());
    journal.begin();
    assertFalse(journal.hasRoom());
  }

  @Test
  void aRecordThatAKilledProcessDidntFinishIsNoDamage() throws Exception {
    Journal journal = begun();
    for (int i = 0; i < 3; i++) {
      append(journal, i);
    }
    journal.sync();
    append(journal, 3);
    write(SECOND, at(3) + 34, (byte) 0x55);
    List<Integer> numbers = new ArrayList<>();
    assertEquals(0, readInto(numbers));
    assertEquals(List.of(0, 1, 2), numbers);
  }

  @Test
  void whatWasSyncedAndCantBeReadIsReported() throws Exception {
    Journal journal = begun();
    for (int i = 0; i < 3; i++) {
      append(journal, i);
    }
    journal.sync();
    write(SECOND, at(1) + 10, (byte) 0x55);
    assertThrows(DamagedJournalException.class, this::read);
  }

  @Test
  void whatTheTurnedFileHadIsSyncedToo() throws Exception {
    Journal journal = begun();
    append(journal, 1);
    append(journal, 2);
    assertTrue(journal.turn());
    append(journal, 3);
    journal.sync();
    write(SECOND, at(0) + 10, (byte) 0x55);
    assertThrows(DamagedJournalException.class, this::read);
  }

  @Test
  void whatWentWithThePowerIsCountedAndTheRestRead() throws Exception {
    Journal journal = begun();
    for (int i = 0; i < 6; i++) {
      append(journal, i);
    }
    write(SECOND, at(1), new byte[2 * JournalSegment.RECORD]);
    List<Integer> numbers = new ArrayList<>();
    assertEquals(2, readInto(numbers));
    assertEquals(List.of(0, 3, 4, 5), numbers);
  }

  @Test
  void aFileThatIsNoneIsReported() throws Exception {
    begun();
    write(FIRST, 0, (byte) 1);
    assertDamaged(FIRST);
    assertThrows(DamagedJournalException.class, () -> Journal.openUnnoted(home, DiskSync.SYSTEM));
  }

  @Test
  void aJournalThatWasCutOffOrZeroedOrIsMissingIsReported() throws Exception {
    append(begun(), 1);
    for (String name : List.of(FIRST, SECOND)) {
      Path file = home.resolve(name);
      byte[] whole = Files.readAllBytes(file);
      List<byte[]> damages = new ArrayList<>();
      damages.add(new byte[0]);
      damages.add(new byte[BYTES]);
      damages.add(Arrays.copyOf(whole, BYTES / 2));
      damages.add(Arrays.copyOf(whole, BYTES - JournalSegment.RECORD));
      byte[] headless = whole.clone();
      Arrays.fill(headless, 0, ChecksummedFileHeader.BYTES, (byte) 0);
      damages.add(headless);
      for (byte[] damage : damages) {
        Files.write(file, damage);
        assertDamaged(name);
      }
      Files.delete(file);
      assertDamaged(name);
      Files.write(file, whole);
    }
    assertEquals(List.of(1), read());
  }

  private void assertDamaged(String name) {
    DamagedJournalException damaged = assertThrows(DamagedJournalException.class, this::read);
    assertTrue(String.valueOf(damaged.getMessage()).contains(name), damaged.getMessage());
  }

  /** Any byte of the head: there are two copies of what counts. */
  @Test
  void aByteOfTheHeadThatDecaysLosesNothingSilently() throws Exception {
    Journal journal = begun();
    append(journal, 1);
    journal.sync();
    byte[] whole = Files.readAllBytes(home.resolve(SECOND));
    for (int at = 0; at < ChecksummedFileHeader.BYTES; at++) {
      write(SECOND, at, (byte) (whole[at] ^ 0x40));
      try {
        assertEquals(List.of(1), read(), "byte " + at);
      } catch (DamagedJournalException reported) {
        assertTrue(at < 16, "byte " + at);
      }
      Files.write(home.resolve(SECOND), whole);
    }
  }

  @Test
  void aJournalThatWasntFinishedIsNone() throws Exception {
    assertTrue(Journal.openUnnoted(home, DiskSync.SYSTEM).isEmpty());
    Files.write(home.resolve(FIRST), new byte[100]);
    Files.createFile(home.resolve(SECOND));
    assertTrue(Journal.openUnnoted(home, DiskSync.SYSTEM).isEmpty());
    append(begun(), 1);
    assertEquals(List.of(1), read());
    assertTrue(Journal.openUnnoted(home, DiskSync.SYSTEM).isPresent());
    assertEquals(BYTES, Files.size(home.resolve(FIRST)));
  }

  /** Of its two copies the head of the file that begins anew has none, one, or both. */
  @Test
  void aKillWhileItBeginsAnewLosesNothing() throws Exception {
    Journal journal = begun();
    append(journal, 1);
    assertTrue(journal.turn());
    append(journal, 2);
    byte[] before = Files.readAllBytes(home.resolve(SECOND));
    journal.prepare();
    byte[] after = Files.readAllBytes(home.resolve(SECOND));
    for (int first : new int[] {16, 40}) { // the two copies are written in one of these orders
      for (int written = 0; written <= 48; written++) {
        byte[] torn = before.clone();
        for (int i = 0; i < written; i++) {
          int at = i < 24 ? first + i : 56 - first + i - 24;
          torn[at] = after[at];
        }
        Files.write(home.resolve(SECOND), torn);
        List<Integer> numbers = read();
        assertTrue(
            numbers.equals(List.of(1, 2)) || numbers.equals(List.of(2)),
            first + ", " + written + ": " + numbers);
      }
    }
  }

  @Test
  void whatCouldNotBeSyncedIsntCalledSyncedUntilItIsReplaced() throws Exception {
    boolean[] fails = {false};
    DiskSync disk =
        new DiskSync() {
          @Override
          public void mapped(Path file, MappedByteBuffer buffer, int bytes) {
            if (fails[0]) {
              throw new UncheckedIOException(new IOException("no such disk"));
            }
            SYSTEM.mapped(file, buffer, bytes);
          }

          @Override
          public void log(RocksDB database) {}

          @Override
          public void directory(Path directory) {}
        };
    Journal journal = Journal.create(home, BYTES, disk);
    append(journal, 1);
    fails[0] = true;
    assertThrows(UncheckedIOException.class, journal::sync);
    assertTrue(journal.isSpoiled());
    fails[0] = false;
    assertThrows(UncheckedIOException.class, journal::sync, "a later success proves nothing");
    assertTrue(journal.turn());
    assertThrows(UncheckedIOException.class, journal::sync, "its buckets aren't saved yet");
    fails[0] = true;
    assertThrows(UncheckedIOException.class, journal::prepare);
    assertFalse(journal.turn());
    fails[0] = false;
    journal.prepare();
    append(journal, 2);
    journal.sync();
    assertFalse(journal.isSpoiled());
    assertEquals(List.of(2), read());
  }
}
