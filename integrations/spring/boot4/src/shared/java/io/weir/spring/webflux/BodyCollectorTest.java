package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** Collects a body, whatever the server does; no buffer is left. */
class BodyCollectorTest {
  private final NettyDataBufferFactory buffers =
      new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT);

  private final List<NettyDataBuffer> made = new ArrayList<>();

  private final Server server = new Server();
  private final BodyCollector collector = new BodyCollector(4);

  private NettyDataBuffer buffer(int... bytes) {
    NettyDataBuffer buffer = buffers.allocateBuffer(8);
    for (int each : bytes) {
      buffer.write((byte) each);
    }
    made.add(buffer);
    return buffer;
  }

  /** Sends buffers whether they are asked for or not, also after a cancellation. */
  private static final class Server implements Publisher<DataBuffer>, Subscription {
    private Subscriber<? super DataBuffer> reader;
    private long requested;
    private boolean isCancelled;

    @Override
    public void subscribe(Subscriber<? super DataBuffer> subscriber) {
      reader = subscriber;
      subscriber.onSubscribe(this);
    }

    @Override
    public void request(long number) {
      requested = Operators.addCap(requested, number);
    }

    @Override
    public void cancel() {
      isCancelled = true;
    }

    void send(DataBuffer... all) {
      Stream.of(all).forEach(reader::onNext);
    }
  }

  @AfterEach
  void leavesNoBuffer() {
    assertTrue(made.stream().allMatch(each -> each.getNativeBuffer().refCnt() == 0));
  }

  @Test
  void asksForOneBufferAfterTheOther() {
    server.subscribe(collector);
    assertEquals(1, server.requested);
    server.send(buffer(1, 2));
    assertFalse(collector.collected().isDone());
    assertEquals(2, server.requested);
    server.send(buffer(3));
    server.reader.onComplete();
    BodyCollector.Collected all = collector.collected().join();
    assertArrayEquals(new byte[] {1, 2, 3}, all.bytes());
    assertTrue(all.isWhole());
    assertFalse(all.wasTaken());
  }

  @Test
  void leavesTheRestToWhoeverAsksForIt() {
    server.subscribe(collector);
    server.send(buffer(1, 2, 3, 4, 5));
    assertFalse(collector.collected().join().isWhole());
    assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, collector.collected().join().bytes());
    assertEquals(1, server.requested);
    List<Byte> read = new ArrayList<>();
    collector
        .rest()
        .subscribe(
            each -> {
              read.add(each.read());
              DataBufferUtils.release(each);
            });
    assertTrue(server.requested > 1);
    server.send(buffer(6), buffer(7));
    server.reader.onComplete();
    assertEquals(List.of((byte) 6, (byte) 7), read);
  }

  @Test
  void releasesWhatComesTooLate() {
    server.subscribe(collector);
    server.send(buffer(1));
    collector.cancel();
    assertTrue(server.isCancelled);
    assertBroken();
    server.send(buffer(2), buffer(3));
  }

  private void assertBroken() {
    CompletionException failed =
        assertThrows(CompletionException.class, () -> collector.collected().join());
    assertTrue(failed.getCause() instanceof IOException, failed.toString());
  }

  @Test
  void releasesTheRestThatNobodyTakes() {
    server.subscribe(collector);
    server.send(buffer(1, 2, 3, 4));
    BaseSubscriber<DataBuffer> handler = new Idle();
    collector.rest().subscribe(handler);
    server.send(buffer(5), buffer(6));
    handler.cancel();
    assertTrue(server.isCancelled);
    server.send(buffer(7));
  }

  /** Asks for nothing, whatever the server sends. */
  private static final class Idle extends BaseSubscriber<DataBuffer> {
    @Override
    protected void hookOnSubscribe(Subscription subscription) {}
  }

  @Test
  void tellsABrokenConnectionFromABodyThatWasTaken() {
    server.subscribe(collector);
    server.send(buffer(1));
    server.reader.onError(new IllegalStateException("closed"));
    assertBroken();
    BodyCollector second = new BodyCollector(4);
    Flux.<DataBuffer>error(new IllegalStateException("only one")).subscribe(second);
    assertTrue(second.collected().join().wasTaken());
  }
}
