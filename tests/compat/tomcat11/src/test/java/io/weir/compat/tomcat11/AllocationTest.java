package io.weir.compat.tomcat11;

import io.weir.compat.servlet.ServletAllocationContract;
import io.weir.compat.servlet.TomcatServer;

class AllocationTest implements ServletAllocationContract, TomcatServer {
  @Override
  public long mostBytesOfAnAdmittedRequest() {
    return 1_600;
  }
}
