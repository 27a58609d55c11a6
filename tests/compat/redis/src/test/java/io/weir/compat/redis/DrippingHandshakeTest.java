package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.Grant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A server that keeps a handshake going for ever keeps no thread and no connection of ours. */
class DrippingHandshakeTest {
  @Test
  void isGivenUp() throws Exception {
    try (DrippingServer server = new DrippingServer(DrippingServer.HANDSHAKE);
        Asker asker = new Asker("rediss://127.0.0.1:" + server.port(), "store.timeout", "1s")) {
      String why = asker.fresh();
      assertTrue(why.contains("127.0.0.1:" + server.port()), why);
      assertTrue(why.contains("its TLS handshake takes too long"), why);
      Await.until("the connection is ended", () -> server.open() == 0);
    }
  }

  @Test
  void aSentinelThatDripsItsAnswerIsGivenUp() throws Exception {
    try (DrippingServer server = new DrippingServer(DrippingServer.REPLY);
        Asker asker =
            new Asker(
                "redis-sentinel://127.0.0.1:" + server.port() + "/m", "store.timeout", "100ms")) {
      CompletionStage<List<Optional<Grant>>> answer =
          asker.store.execute(List.of(Asker.claim("a")));
      Await.until("it connects", () -> server.accepted() > 0);
      Await.until("the connection is ended", () -> server.open() == 0);
      Await.until("it has failed", () -> answer.toCompletableFuture().isCompletedExceptionally());
    }
  }

  @Test
  void isEndedWhenTheStoreIsClosed() throws Exception {
    try (DrippingServer server = new DrippingServer(DrippingServer.HANDSHAKE)) {
      Asker asker = new Asker("rediss://127.0.0.1:" + server.port(), "store.timeout", "1s");
      CompletionStage<List<Optional<Grant>>> answer =
          asker.store.execute(List.of(Asker.claim("a")));
      Await.until("it connects", () -> server.accepted() > 0);
      Thread closing = new Thread(asker::close);
      closing.start();
      Await.until("the connection is ended", () -> server.open() == 0);
      closing.join();
      Await.until("it has failed", () -> answer.toCompletableFuture().isCompletedExceptionally());
    }
  }
}
