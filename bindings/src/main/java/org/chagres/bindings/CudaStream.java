package org.chagres.bindings;

import org.chagres.bindings.NativeLibrary.Since;

/**
 * The CUDA driver API: streams and events.
 * <p>
 * Calls report as in {@link Cuda}.
 */
public final class CudaStream {
    private static final NativeFunction STREAM_CREATE = Cuda.LIBRARY.function("cuStreamCreate");
    private static final NativeFunction STREAM_CREATE_WITH_PRIORITY = Cuda.LIBRARY
            .function("cuStreamCreateWithPriority");
    private static final NativeFunction STREAM_DESTROY = Cuda.LIBRARY.function("cuStreamDestroy_v2");
    private static final NativeFunction STREAM_QUERY = Cuda.LIBRARY.function("cuStreamQuery");
    private static final NativeFunction STREAM_SYNCHRONIZE = Cuda.LIBRARY.function("cuStreamSynchronize");
    private static final NativeFunction STREAM_WAIT_EVENT = Cuda.LIBRARY.function("cuStreamWaitEvent");
    private static final NativeFunction EVENT_CREATE = Cuda.LIBRARY.function("cuEventCreate");
    private static final NativeFunction EVENT_DESTROY = Cuda.LIBRARY.function("cuEventDestroy_v2");
    private static final NativeFunction EVENT_RECORD = Cuda.LIBRARY.function("cuEventRecord");
    private static final NativeFunction EVENT_QUERY = Cuda.LIBRARY.function("cuEventQuery");
    private static final NativeFunction EVENT_SYNCHRONIZE = Cuda.LIBRARY.function("cuEventSynchronize");
    private static final NativeFunction EVENT_ELAPSED_TIME = Cuda.LIBRARY.function(new Since("CUDA 2.0"),
            "cuEventElapsedTime_v2", "cuEventElapsedTime");

    private CudaStream() {
    }

    /**
     * {@code cuStreamCreate}: fills in a {@code CUstream} ({@code CU_STREAM_}).
     *
     * @return a CUresult
     */
    public static int streamCreate(final long stream, final int flags) {
        return ColdCalls.callInt(STREAM_CREATE.address(), stream, flags);
    }

    /**
     * {@code cuStreamCreateWithPriority}: fills in a {@code CUstream}; lower numbers go first.
     *
     * @return a CUresult
     */
    public static int streamCreateWithPriority(final long stream, final int flags, final int priority) {
        return ColdCalls.callInt(STREAM_CREATE_WITH_PRIORITY.address(), stream, flags, priority);
    }

    /**
     * {@code cuStreamDestroy}: its work still completes.
     *
     * @return a CUresult
     */
    public static int streamDestroy(final long stream) {
        return ColdCalls.callInt(STREAM_DESTROY.address(), stream);
    }

    /**
     * {@code cuStreamQuery}: CUDA_ERROR_NOT_READY while work is pending.
     *
     * @return a CUresult
     */
    public static int streamQuery(final long stream) {
        return ColdCalls.callInt(STREAM_QUERY.address(), stream);
    }

    /**
     * {@code cuStreamSynchronize}: waits for all work of the stream.
     *
     * @return a CUresult
     */
    public static int streamSynchronize(final long stream) {
        return ColdCalls.callInt(STREAM_SYNCHRONIZE.address(), stream);
    }

    /**
     * {@code cuStreamWaitEvent}: later work of the stream waits for the event.
     *
     * @return a CUresult
     */
    public static int streamWaitEvent(final long stream, final long event, final int flags) {
        return ColdCalls.callInt(STREAM_WAIT_EVENT.address(), stream, event, flags);
    }

    /**
     * {@code cuEventCreate}: fills in a {@code CUevent} ({@code CU_EVENT_}).
     *
     * @return a CUresult
     */
    public static int eventCreate(final long event, final int flags) {
        return ColdCalls.callInt(EVENT_CREATE.address(), event, flags);
    }

    /**
     * {@code cuEventDestroy}.
     *
     * @return a CUresult
     */
    public static int eventDestroy(final long event) {
        return ColdCalls.callInt(EVENT_DESTROY.address(), event);
    }

    /**
     * {@code cuEventRecord}: the event completes when the stream gets there.
     *
     * @return a CUresult
     */
    public static int eventRecord(final long event, final long stream) {
        return ColdCalls.callInt(EVENT_RECORD.address(), event, stream);
    }

    /**
     * {@code cuEventQuery}: CUDA_ERROR_NOT_READY until it completes.
     *
     * @return a CUresult
     */
    public static int eventQuery(final long event) {
        return ColdCalls.callInt(EVENT_QUERY.address(), event);
    }

    /**
     * {@code cuEventSynchronize}: waits until it completes.
     *
     * @return a CUresult
     */
    public static int eventSynchronize(final long event) {
        return ColdCalls.callInt(EVENT_SYNCHRONIZE.address(), event);
    }

    /**
     * {@code cuEventElapsedTime}: fills a {@code float}.
     *
     * @return a CUresult
     */
    public static int eventElapsedTime(final long milliseconds, final long start, final long end) {
        return ColdCalls.callInt(EVENT_ELAPSED_TIME.address(), milliseconds, start, end);
    }
}
