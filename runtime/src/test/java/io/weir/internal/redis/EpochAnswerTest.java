package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.Epoch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers about a Redis's data are accepted only if they are possible. */
class EpochAnswerTest {
  private static final String ID = "0123456789abcdef";

  private final EpochReader.Question question =
      new EpochReader.Question(
          new EvalCall(new byte[0], new byte[0], List.of(new byte[0]), List.of()), 7, Epoch.NONE);

  @Test
  void readsWhatTheScriptSays() {
    assertEquals(new Epoch("7:" + ID, 3, 5, true), question.read(said(ID, 3, 5, 1)));
  }

  @Test
  void refusesWhatWouldMakeANodeWaitForEver() {
    assertNoAnswer(said(ID, 3, -1, 1));
    assertNoAnswer(said(ID, 3, Long.MIN_VALUE, 1));
  }

  @Test
  void refusesWhatCouldNotBeNamedToAScript() {
    assertNoAnswer(said("short", 3, 5, 0));
    assertNoAnswer(said(ID + "0", 3, 5, 0));
    assertNoAnswer(said(ID, -1, 5, 0));
    assertNoAnswer(said(ID, Long.MAX_VALUE, 5, 0));
  }

  @Test
  void refusesWhatIsNoAnswerAtAll() {
    assertNoAnswer(List.of());
    assertNoAnswer(List.of(1L, 2L, 3L, 4L));
    assertNoAnswer("OK");
    assertThrows(StoreUnavailableException.class, () -> question.read(null));
  }

  private void assertNoAnswer(Object reply) {
    assertThrows(StoreUnavailableException.class, () -> question.read(reply));
  }

  private static List<Object> said(String id, long beats, long age, long wiped) {
    return List.of(id.getBytes(US_ASCII), beats, age, wiped);
  }
}
