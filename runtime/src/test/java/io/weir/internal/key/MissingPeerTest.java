package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedRequest;
import io.weir.annotation.RateLimit;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class MissingPeerTest {
  private static final Logger LOG = Logger.getLogger("io.weir.internal.key");

  private final List<String> logged = new ArrayList<>();
  private final Handler recorder =
      new Handler() {
        @Override
        public void publish(LogRecord each) {
          logged.add(each.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  static class Posts {
    @RateLimit(limit = 9, window = 60)
    public void read() {}
  }

  /** A request whose adapter knows no peer. */
  private record Peerless(String method) implements RequestInfo {
    @Override
    public List<String> headers(String name) {
      return List.of();
    }

    @Override
    public Optional<String> user() {
      return Optional.empty();
    }

    @Override
    public Optional<String> peer() {
      return Optional.empty();
    }
  }

  @Test
  void warnsOnceThatAllRequestsShareABucket() throws Exception {
    LOG.addHandler(recorder);
    try (Weir weir = Weir.builder().build();
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      decide(adapter, "");
      assertEquals(List.of(), logged);
      decide(adapter, "GET");
      decide(adapter, "GET");
      assertEquals(1, logged.stream().filter(each -> each.contains("share one bucket")).count());
    } finally {
      LOG.removeHandler(recorder);
    }
  }

  private static void decide(Adapter adapter, String method) throws NoSuchMethodException {
    Peerless info = new Peerless(method);
    LimitedRequest request = adapter.begin(info, null);
    request.moveTo(
        adapter.endpoint(Posts.class, Posts.class.getMethod("read"), EndpointType.JAXRS), info);
    assertEquals(true, request.decide(DecisionPhase.BEFORE_AUTHENTICATION).isEmpty());
  }
}
