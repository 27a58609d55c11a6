package io.weir.architecture.breach.guard;

/** No breach. */
public interface AtHome {}
