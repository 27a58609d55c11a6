package io.grpc.kotlin;

/** Stands for the class of grpc-kotlin, which is known by its name. */
public abstract class AbstractCoroutineServerImpl {}
