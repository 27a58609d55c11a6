package io.weir.compat.stacks.helidon4;

import io.weir.cdi.RateLimitExtension;
import io.weir.compat.stack.BeanChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;
import org.objectweb.asm.ClassReader;

class BeansTest extends BeanChecks {
  @Override
  protected StackServer newServer(boolean mistaken) throws IOException {
    return StackProcess.runWith(
        List.of(RateLimitExtension.class, ClassReader.class),
        BeanApplication.class,
        List.of(
            "-Dweir.proxy.trusted=127.0.0.1",
            "-D" + BeanApplication.MISTAKEN + "=" + mistaken));
  }
}
