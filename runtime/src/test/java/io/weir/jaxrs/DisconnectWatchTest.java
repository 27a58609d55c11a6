package io.weir.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DisconnectWatchTest {
  private final List<String> events = new ArrayList<>();
  private boolean gone;

  /** Behaves like a container that sends at once. */
  private final OutputStream caller =
      new OutputStream() {
        @Override
        public void write(int value) throws IOException {
          write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          if (gone) {
            throw new IOException("gone");
          }
          events.add("sent " + length);
        }
      };

  private DisconnectWatch announcing(OptionalLong length) {
    return new DisconnectWatch(caller, () -> length, () -> events.add("ended"));
  }

  @Test
  void aBodyOfAnAnnouncedLengthEndsBeforeItsLastByteIsSent() throws IOException {
    try (DisconnectWatch body = announcing(OptionalLong.of(5))) {
      body.write(new byte[] {1, 2});
      body.write(3);
      assertEquals(List.of("sent 2", "sent 1"), events);
      body.write(new byte[] {4, 5});
      assertEquals(List.of("sent 2", "sent 1", "ended", "sent 2"), events);
    }
  }

  @Test
  void aBodyOfUnknownLengthEndsElsewhere() throws IOException {
    try (DisconnectWatch body = announcing(OptionalLong.empty())) {
      body.write(new byte[1_000]);
      assertEquals(List.of("sent 1000"), events);
    }
  }

  @Test
  void itEndsWhenTheCallerHasHungUp() throws IOException {
    try (DisconnectWatch body = announcing(OptionalLong.of(5))) {
      gone = true;
      assertThrows(IOException.class, () -> body.write(1));
      assertEquals(List.of("ended"), events);
    }
  }
}
