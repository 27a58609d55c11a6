package io.weir.compat.stacks.grpc;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.weir.compat.stack.MeasuredClient;
import io.weir.compat.stack.RequestCosts;
import io.weir.compat.stack.StackProcess;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.net.URI;
import java.util.List;

@OneDayIn(3)
class RequestCostTest extends RequestCosts {
  @Override
  protected String stack() {
    return "gRPC";
  }

  @Override
  protected StackProcess newServer(boolean withWeir) throws IOException {
    return StackProcess.run(
        CostMain.class,
        library -> withWeir || !isOfWeir(library),
        List.of("-XX:TieredStopAtLevel=4", "-D" + CostMain.WITH_WEIR + "=" + withWeir));
  }

  @Override
  protected MeasuredClient connect(URI address) {
    return new Client(
        NettyChannelBuilder.forAddress(address.getHost(), address.getPort())
            .usePlaintext()
            .build());
  }

  private record Client(ManagedChannel channel) implements MeasuredClient {
    @Override
    public boolean call(String name) throws IOException {
      try {
        var unused =
            ClientCalls.blockingUnaryCall(
                channel, CostService.method(name), CallOptions.DEFAULT, "hello");
        return true;
      } catch (StatusRuntimeException failed) {
        if (failed.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED) {
          return false;
        }
        throw new IOException(failed);
      }
    }

    @Override
    public void close() {
      channel.shutdownNow();
    }
  }
}
