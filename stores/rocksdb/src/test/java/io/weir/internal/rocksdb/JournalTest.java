package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final int BYTES = 1 << 14; // 255 records each
  private static final int RECORDS = BYTES / JournalSegment.RECORD - 1;
  private static final String FIRST = "exact-1.journal";
  private static final String SECOND = "exact-2.journal";

  @TempDir private Path home;

  private static byte[] key(int number) {
    byte[] key = new byte[BucketKeys.LENGTH];
    key[0] = (byte) (number >> 8);
    key[1] = (byte) number;
    return key;
  }

  private Journal begun() throws IOException {
    Journal journal = Journal.open(home, BYTES);
    journal.begin();
    return journal;
  }

  private static boolean append(Journal journal, int number) {
    return journal.append(key(number), 1_000L * number, new byte[] {(byte) number, 7});
  }

  /** What a journal says that is opened as after a kill, each record by the number of its key. */
  private List<Integer> read() throws Exception {
    List<Integer> numbers = new ArrayList<>();
    readInto(numbers);
    return numbers;
  }

  private int readInto(List<Integer> numbers) throws Exception {
    return Journal.open(home, BYTES)
        .read(
            (key, expiresAt, state) -> {
              int number = (key[0] & 0xFF) << 8 | key[1] & 0xFF;
              assertEquals(1_000L * number, expiresAt);
              assertTrue(Arrays.equals(new byte[] {(byte) number, 7}, state));
              numbers.add(number);
            });
  }

  /** The bytes of a file, changed in place. */
  private void write(String file, int at, byte... bytes) throws IOException {
    Path path = home.resolve(file);
    byte[] all = Files.readAllBytes(path);
    System.arraycopy(bytes, 0, all, at, bytes.length);
    Files.write(path, all);
  }

  private String active() throws IOException {
    long first = number(FIRST);
    return first > number(SECOND) ? FIRST : SECOND;
  }

  private long number(String file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(home.resolve(file))).getLong(8);
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
    journal.turn();
    append(journal, 2);
    assertEquals(List.of(1, 2), read());
    journal.turn(); // what was in the first one isn't needed any more
    append(journal, 3);
    assertEquals(List.of(2, 3), read());
  }

  @Test
  void recordsOfAnEarlierUseAreNeverRead() throws Exception {
    Journal journal = begun();
    for (int i = 0; i < 20; i++) {
      append(journal, i);
    }
    journal.turn();
    journal.turn();
    append(journal, 99);
    assertEquals(List.of(99), read());
    journal.begin();
    assertEquals(List.of(), read());
  }

  @Test
  void tellsOnceThatItFillsAndRefusesWhatHasNoRoom() throws Exception {
    Journal journal = begun();
    int told = 0;
    for (int i = 0; i < RECORDS; i++) {
      assertEquals(i >= RECORDS - RECORDS / 2, journal.isFilling(), "after " + i);
      told += append(journal, i) ? 1 : 0;
    }
    assertEquals(1, told);
    assertFalse(journal.hasRoom());
    assertThrows(IllegalStateException.class, () -> append(journal, 0));
    journal.turn();
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
    write(active(), 4 * JournalSegment.RECORD + 34, (byte) 0x55);
    List<Integer> numbers = new ArrayList<>();
    assertEquals(0, readInto(numbers));
    assertEquals(List.of(0, 1, 2), numbers);
  }

  @Test
  void whatWasSyncedAndCantBeReadIsTold() throws Exception {
    Journal journal = begun();
    for (int i = 0; i < 3; i++) {
      append(journal, i);
    }
    journal.sync();
    write(active(), 2 * JournalSegment.RECORD + 10, (byte) 0x55);
    assertThrows(DamagedJournalException.class, this::read);
  }

  @Test
  void whatTheTurnedFileHadIsSyncedToo() throws Exception {
    Journal journal = begun();
    append(journal, 1);
    append(journal, 2);
    String first = active();
    journal.turn();
    append(journal, 3);
    journal.sync();
    write(first, JournalSegment.RECORD + 10, (byte) 0x55);
    assertThrows(DamagedJournalException.class, this::read);
  }

  @Test
  void whatWentWithThePowerIsCountedAndTheRestRead() throws Exception {
    Journal journal = begun();
    for (int i = 0; i < 6; i++) {
      append(journal, i);
    }
    write(active(), 2 * JournalSegment.RECORD, new byte[2 * JournalSegment.RECORD]);
    List<Integer> numbers = new ArrayList<>();
    assertEquals(2, readInto(numbers));
    assertEquals(List.of(0, 3, 4, 5), numbers);
  }

  @Test
  void aFileThatIsNoneIsTold() throws Exception {
    begun();
    write(FIRST, 0, (byte) 1);
    assertThrows(DamagedJournalException.class, () -> Journal.open(home, BYTES));
  }

  @Test
  void aHeadThatCantBeReadIsTold() throws Exception {
    Journal journal = begun();
    append(journal, 1);
    write(active(), 15, (byte) 0); // the number, not its copy
    assertThrows(DamagedJournalException.class, this::read);
  }

  @Test
  void aFileThatWasntFinishedIsMadeAgain() throws Exception {
    Files.write(home.resolve(FIRST), new byte[100]);
    Files.createFile(home.resolve(SECOND));
    Journal journal = begun();
    append(journal, 1);
    assertEquals(List.of(1), read());
    assertEquals(BYTES, Files.size(home.resolve(FIRST)));
  }

  @Test
  void aKillWhileItBeginsAnewLosesNothing() throws Exception {
    Journal journal = begun();
    append(journal, 1);
    journal.turn();
    append(journal, 2);
    String other = active().equals(FIRST) ? SECOND : FIRST;
    write(other, 8, bytes(number(other) + 2)); // its number, and not yet its copy
    assertEquals(List.of(2), read());
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
