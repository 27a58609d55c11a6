package io.weir.internal.redis.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class SilenceMeterTest {
  private final SilenceMeter silence = new SilenceMeter();

  private LongUnaryOperator callAt(long sent) {
    LongUnaryOperator call = now -> now - sent;
    silence.begin(call);
    return call;
  }

  @Test
  void isThatOfTheOldestCallThatIsOwedAnAnswer() {
    assertEquals(0, silence.nanos(5));
    LongUnaryOperator first = callAt(10);
    LongUnaryOperator second = callAt(30);
    assertEquals(40, silence.nanos(50));
    silence.answered(first);
    assertEquals(20, silence.nanos(50));
    silence.answered(second);
    assertEquals(0, silence.nanos(50));
  }

  @Test
  void goesOnWhenACallIsGivenUpAndTheNextIsSent() {
    silence.givenUp(callAt(10), 210);
    assertEquals(200, silence.nanos(210));
    LongUnaryOperator next = callAt(210);
    assertEquals(250, silence.nanos(260));
    silence.givenUp(next, 410);
    assertEquals(400, silence.nanos(410), "the first of them counts");
    silence.answered(callAt(420));
    assertEquals(0, silence.nanos(500), "it has answered");
  }

  @Test
  void countsFromTheOldestOfTheCallsThatWereGivenUp() {
    LongUnaryOperator first = callAt(10);
    silence.givenUp(callAt(30), 230);
    silence.givenUp(first, 240);
    assertEquals(240, silence.nanos(250));
  }

  @Test
  void isNotEndedByAConnectionThatOpens() {
    silence.givenUp(callAt(10), 210);
    silence.end(callAt(210));
    assertEquals(210, silence.nanos(220));
  }

  @Test
  void doesNotBeginWithACallWhoseAnswerHasArrived() {
    LongUnaryOperator read = now -> 0;
    silence.begin(read);
    silence.givenUp(read, 100);
    assertEquals(0, silence.nanos(200));
  }
}
