package io.weir.grpc;

import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.weir.grpc.TalkServer.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.rpc.RetryInfo;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.weir.Ticker;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clients that retry: as docs/grpc.md shows them, and by their service config. */
class RetryTest {
  private static final Map<String, ?> RETRIES =
      Map.of(
          "methodConfig",
          List.of(
              Map.of(
                  "name",
                  List.of(Map.of()),
                  "retryPolicy",
                  Map.of(
                      "maxAttempts",
                      3.0,
                      "initialBackoff",
                      "0.001s",
                      "maxBackoff",
                      "0.001s",
                      "backoffMultiplier",
                      1.0,
                      "retryableStatusCodes",
                      List.of("RESOURCE_EXHAUSTED")))));

  static final class Limited extends Talker {
    @Override
    @RateLimit(limit = 1, window = 1, by = By.IP, costFrom = "header:cost", name = "second")
    public void ask(Line question, StreamObserver<Line> answer) {
      super.ask(question, answer);
    }
  }

  private static TalkServer server() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.parts = all -> all.ticker(Ticker.system());
    return new TalkServer(new Limited(), options);
  }

  @Test
  void aClientThatRetriesByItsServiceConfigWaitsForThePushback() throws Exception {
    try (TalkServer server = server()) {
      ManagedChannel channel = server.newChannel(each -> each.defaultServiceConfig(RETRIES));
      try {
        TalkServer.Client patient = server.client(channel, "cost", "1");
        assertEquals(List.of(OK, OK), patient.asks(2)); // the second after its third attempt
        TalkServer.Client hopeless = server.client(channel, "cost", "2");
        Status refused = hopeless.ask("x");
        assertEquals(RESOURCE_EXHAUSTED, refused.getCode());
        assertEquals("-1", hopeless.trailer("grpc-retry-pushback-ms"));
      } finally {
        channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
      }
    }
  }

  @Test
  void aClientReadsTheDelayFromTheDetails() throws Exception {
    try (TalkServer server = server()) {
      TalkGrpc.TalkBlockingStub talk = server.client("cost", "1").blocking();
      StatusRuntimeException refused =
          assertThrows(
              StatusRuntimeException.class,
              () -> {
                while (true) {
                  var unused = talk.ask(line("again"));
                }
              });
      List<RetryInfo> delays = new ArrayList<>();
      com.google.rpc.Status status = StatusProto.fromThrowable(refused);
      for (Any each : status.getDetailsList()) {
        if (each.is(RetryInfo.class)) {
          delays.add(each.unpack(RetryInfo.class));
        }
      }
      assertEquals(1, delays.size());
      assertTrue(delays.get(0).getRetryDelay().getSeconds() > 0);
    }
  }
}
