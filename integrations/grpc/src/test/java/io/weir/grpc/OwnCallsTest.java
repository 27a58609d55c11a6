package io.weir.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.stub.StreamObserver;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.LimitedCall;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Line;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Services whose methods are called by beans too, where an advice sees each call. */
class OwnCallsTest {
  /** Has its own method called with each line that it hears, as a bean would. */
  private static final class Recursive extends Talker {
    private LimitedCall advice;

    void advise(Adapter adapter) throws NoSuchMethodException {
      Method method = getClass().getMethod("dictate", StreamObserver.class);
      advice = adapter.call(getClass(), method, List.of("answer"));
    }

    @Override
    @RateLimit(limit = 2, window = 600, by = By.KEY, key = "header:caller")
    public StreamObserver<Line> dictate(StreamObserver<Line> answer) {
      List<String> outcomes = new ArrayList<>();
      return new StreamObserver<>() {
        @Override
        public void onNext(Line line) {
          outcomes.add(call(answer));
        }

        @Override
        public void onError(Throwable broken) {}

        @Override
        public void onCompleted() {
          outcomes.add(call(answer));
          answer.onNext(TalkServer.line(String.join(" ", outcomes)));
          answer.onCompleted();
        }
      };
    }

    private String call(StreamObserver<Line> answer) {
      try {
        return String.valueOf(advice.run(new Object[] {answer}, () -> "ran"));
      } catch (RateLimitExceededException refused) {
        return "refused";
      } catch (Throwable failed) {
        throw new IllegalStateException(failed);
      }
    }
  }

  /** The first run of a method that was decided isn't charged, but each later one is. */
  @Test
  void aCallIsChargedOnceWhateverEventsItHas() throws Exception {
    Recursive service = new Recursive();
    try (TalkServer server = TalkServer.of(service);
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(server.weir))) {
      service.advise(adapter);
      assertEquals(
          List.of("ran ran refused refused"),
          Lines.dictate(server.client("caller", "a"), "a", "b", "c").all());
    }
  }
}
