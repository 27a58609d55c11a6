package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.Attributes;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.weir.grpc.v1.CheckManyRequest;
import io.weir.grpc.v1.CheckRequest;
import io.weir.grpc.v1.RateLimitServiceGrpc;
import io.weir.seeds.DeepOnly;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that who floods the gRPC port with large messages has its own calls refused, and that all
 * others are answered. It says how long they wait.
 */
@DeepOnly
class GrpcFloodTest {
  private static final int CONNECTIONS = 40;
  private static final int AT_A_TIME = 10;
  private static final int CHECKS = 300;

  private static final CheckManyRequest LARGE =
      CheckManyRequest.newBuilder()
          .addAllRequests(
              IntStream.range(0, 100)
                  .mapToObj(
                      i ->
                          CheckRequest.newBuilder()
                              .setUserId("flooder")
                              .setEndpoint("/" + i)
                              .putAttributes("filling", "x".repeat(9_000))
                              .build())
                  .toList())
          .build();

  @TempDir private Path home;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final Map<Status.Code, Integer> answers = new ConcurrentHashMap<>();

  @AfterEach
  void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
  }

  @Test
  void othersAreAnsweredWhileFortyConnectionsSendLargeMessages() throws Exception {
    Map<String, String> settings =
        Map.of("WEIR_SERVER_LISTENERS", "grpc", "WEIR_SERVER_OPEN", "grpc");
    try (ServerProcess server =
        ServerProcess.start(ServerProcess.command("-Xmx512m"), home.resolve("data"), settings)) {
      String address = server.awaitLine("grpc");
      server.awaitLine("ready");
      ManagedChannel other = channel(address, "127.0.0.2");
      check(other, CHECKS);
      double[] alone = check(other, CHECKS);
      for (int i = 0; i < CONNECTIONS; i++) {
        ManagedChannel flooder = channel(address, "127.0.0.1");
        for (int call = 0; call < AT_A_TIME; call++) {
          send(flooder);
        }
      }
      double[] beside = new double[0];
      do {
        assertTrue(server.isAlive(), () -> "it ended by itself: " + server.lines());
        beside = Stream.of(beside, check(other, 1)).flatMapToDouble(Arrays::stream).toArray();
      } while (answered() < CONNECTIONS * AT_A_TIME);
      Arrays.sort(beside);
      System.out.printf(
          "gRPC flood: a check took %.1f ms, at most %.1f; beside the flood %d took %.1f ms, at most"
              + " %.1f; its messages were answered by %s%n",
          alone[CHECKS / 2],
          alone[CHECKS - 1],
          beside.length,
          beside[beside.length / 2],
          beside[beside.length - 1],
          answers);
      Set<Status.Code> allowed = Set.of(Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED);
      assertTrue(allowed.containsAll(answers.keySet()), answers::toString);
    }
  }

  /** Without tokens an address is a caller. */
  private ManagedChannel channel(String address, String from) {
    ManagedChannel channel =
        NettyChannelBuilder.forTarget(address)
            .localSocketPicker(
                new NettyChannelBuilder.LocalSocketPicker() {
                  @Override
                  public InetSocketAddress createSocketAddress(
                      SocketAddress to, Attributes attributes) {
                    return new InetSocketAddress(from, 0);
                  }
                })
            .usePlaintext()
            .build();
    channels.add(channel);
    return channel;
  }

  private int answered() {
    return answers.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Checks one after the other, and returns how long each took, the shortest first. */
  private static double[] check(ManagedChannel channel, int checks) {
    var stub = RateLimitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(5, TimeUnit.MINUTES);
    double[] millis = new double[checks];
    for (int i = 0; i < checks; i++) {
      long began = System.nanoTime();
      CheckRequest check = CheckRequest.newBuilder().setUserId("al").setEndpoint("/" + i).build();
      assertTrue(stub.check(check).getAllowed());
      millis[i] = (System.nanoTime() - began) / 1e6;
    }
    Arrays.sort(millis);
    return millis;
  }

  private void send(ManagedChannel channel) {
    ListenableFuture<?> call = RateLimitServiceGrpc.newFutureStub(channel).checkMany(LARGE);
    call.addListener(
        () -> answers.merge(status(call), 1, Integer::sum), MoreExecutors.directExecutor());
  }

  private static Status.Code status(ListenableFuture<?> call) {
    try {
      var unused = Futures.getDone(call);
      return Status.Code.OK;
    } catch (ExecutionException failed) {
      return Status.fromThrowable(failed.getCause()).getCode();
    }
  }
}
